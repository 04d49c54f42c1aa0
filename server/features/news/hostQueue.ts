import type { Config } from '#server/core/config/config.ts'

export const requestHeaders = ({ siteUrl }: Pick<Config, 'siteUrl'>, accept: string): Record<string, string> => ({
  // A header cannot contain a non-ASCII host name, so URL converts it to ASCII.
  'user-agent': `dtp-site news reader (+${new URL(siteUrl).href})`,
  accept,
  'accept-encoding': 'gzip, br',
})

const queues = new Map<string, Promise<unknown>>()

/** Sends one request at a time to each host, for all callers together. */
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

export function createDeadline(signal: AbortSignal, milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => signal.aborted || performance.now() > end
}
