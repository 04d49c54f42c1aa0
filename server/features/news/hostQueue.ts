import type { Config } from '#server/core/config/config.ts'

/** Headers of everything we ask of a site we gather from; it can see who asks. */
export const requestHeaders = ({ siteUrl }: Pick<Config, 'siteUrl'>, accept: string): Record<string, string> => ({
  // As a URL it has no characters a header cannot carry.
  'user-agent': `dtp-site news reader (+${new URL(siteUrl).href})`,
  accept,
  'accept-encoding': 'gzip, br',
})

const turns = new Map<string, Promise<unknown>>()

/** Does something at a host when all that came before it at that host has ended: one request at a time, for all. */
export async function atHost<T>(host: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(host)
  const turn = before ? before.then(work) : work()
  const settled = turn.catch(() => {})
  turns.set(host, settled)
  try {
    return await turn
  } finally {
    if (turns.get(host) === settled) turns.delete(host)
  }
}

/**
 * Does something with each item, a few hosts at a time and one item of each; begins nothing more once `stop` says so.
 * What failed is thrown when all others have ended.
 */
export async function byHost<T>(
  items: T[],
  hostOf: (item: T) => string,
  { hosts, stop }: { hosts: number; stop: () => boolean },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const lanes = new Map<string, T[]>()
  for (const item of items) lanes.set(hostOf(item), [...(lanes.get(hostOf(item)) ?? []), item])
  const waiting = [...lanes.values()]
  const errors: unknown[] = []
  const walk = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift()) {
      for (const item of lane) {
        if (stop()) return
        await work(item).catch((error: unknown) => errors.push(error))
      }
    }
  }
  await Promise.all(Array.from({ length: hosts }, walk))
  if (errors.length > 0) throw errors[0]
}

/** Whether the site closes or the time of a run is over. */
export function untilOver(signal: AbortSignal, milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => signal.aborted || performance.now() > end
}
