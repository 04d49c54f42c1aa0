import type { Config } from '#server/core/config/config.ts'

export const requestHeaders = ({ siteUrl }: Pick<Config, 'siteUrl'>, accept: string): Record<string, string> => ({
  // A header cannot contain a non-ASCII host name, so URL converts it to ASCII.
  'user-agent': `dtp-site news reader (+${new URL(siteUrl).href})`,
  accept,
  'accept-encoding': 'gzip, br',
})

const queues = new Map<string, Promise<unknown>>()

export async function queueForHost<T>(host: string, work: () => Promise<T>): Promise<T> {
  const previous = queues.get(host)
  const result = previous ? previous.then(work) : work()
  const settled = result.catch(() => {})
  queues.set(host, settled)
  try {
    return await result
  } finally {
    if (queues.get(host) === settled) queues.delete(host)
  }
}

/**
 * Processes items of different hosts in parallel, and items of the same host one after another.
 * @param hosts maximum number of hosts in parallel
 * @param stop checked before each item
 * @throws the first error, after all items have been processed
 */
export async function forEachByHost<T>(
  items: T[],
  hostOf: (item: T) => string,
  { hosts, stop }: { hosts: number; stop: () => boolean },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(hostOf(item), [...(groups.get(hostOf(item)) ?? []), item])
  const pending = [...groups.values()]
  const errors: unknown[] = []
  const runWorker = async () => {
    for (let group = pending.shift(); group; group = pending.shift()) {
      for (const item of group) {
        if (stop()) return
        await work(item).catch((error: unknown) => errors.push(error))
      }
    }
  }
  await Promise.all(Array.from({ length: hosts }, runWorker))
  if (errors.length > 0) throw errors[0]
}

export function createDeadline(signal: AbortSignal, milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => signal.aborted || performance.now() > end
}
