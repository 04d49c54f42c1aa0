/** Format of V8's CPU profiles. Times are in µs of the system's monotonic clock. */
export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}
/** A function, package or part of the site, and its share of the busy time. */
type Share = { name: string; share: number }
export type Digest = {
  /** share of the elapsed time that was not idle */
  busy: number
  /** self time per function */
  functions: Share[]
  /** share per package or part of the site */
  parts: Share[]
}

const TOP = 10

/** Summarises a profile between two times (µs). */
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
    const installation = url ? ` (${part}${part === 'node' ? '' : ` ${url.split('/').at(-1)}:${lineNumber + 1}`})` : ''
    add(functions, `${functionName || '(anonymous)'}${installation}`, time)
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

export function formatDigest({ busy, functions, parts }: Digest): string {
  const lines = (shares: Share[]) =>
    shares.map(({ name, share }) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`)
  return [`  busy ${(busy * 100).toFixed(0)} % of the time:`, ...lines(parts), '', ...lines(functions)].join('\n')
}
