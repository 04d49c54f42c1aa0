/** What V8's profiler writes: times in µs of the system's steady clock. */
export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}
/** Where a program was, and how much of its busy time. */
type Spent = { name: string; share: number }
export type Digest = {
  /** of the time that passed, how much it was not idle */
  busy: number
  /** by the function itself, without what it calls */
  functions: Spent[]
  /** by the package or part of the site a function belongs to */
  parts: Spent[]
}

const TOP = 10

/** Sums a profile up, from one instant to another in µs. */
export function digestProfile(profile: CpuProfile, from = 0, to = Number.POSITIVE_INFINITY): Digest {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const parts = new Map<string, number>()
  const add = (map: Map<string, number>, key: string, time: number) => map.set(key, (map.get(key) ?? 0) + time)
  let [at, all, busy] = [profile.startTime, 0, 0]
  for (const [index, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[index] ?? 0
    at += time
    if (at < from || at > to) continue
    all += time
    const { functionName, url, lineNumber } = frames.get(id) ?? { functionName: '(unknown)', url: '', lineNumber: 0 }
    if (functionName === '(idle)') continue
    busy += time
    const part = partOf(url)
    const place = url ? ` (${part}${part === 'node' ? '' : ` ${url.split('/').at(-1)}:${lineNumber + 1}`})` : ''
    add(functions, `${functionName || '(anonymous)'}${place}`, time)
    add(parts, url ? part : functionName.startsWith('(') ? functionName : 'native', time)
  }
  const top = (map: Map<string, number>) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, TOP)
      .map(([name, time]) => ({ name, share: time / busy }))
  return { busy: all > 0 ? busy / all : 0, functions: top(functions), parts: top(parts) }
}

function partOf(url: string): string {
  if (url.startsWith('node:')) return 'node'
  if (url.startsWith('wasm:')) return 'database (wasm)'
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage) return inPackage
  return /\/dist\/[^/]+\/(\w+)\//.exec(url)?.[1] === 'server' ? 'pages' : 'site'
}

/** Lines for a person: parts and functions side by side are too wide, so one below the other. */
export function writeDigest({ busy, functions, parts }: Digest): string {
  const lines = (spent: Spent[]) =>
    spent.map(({ name, share }) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
  return [`  busy ${(busy * 100).toFixed(0)} % of the time; of that:`, ...lines(parts), '', ...lines(functions)].join(
    '\n',
  )
}
