import { setTimeout as sleep } from 'node:timers/promises'
import { type Fetcher, FetchFailed, type ReadResponse } from '#server/core/http/fetcher.ts'

const TIMEOUT_MS = 60_000
/** pause between requests, as the rules of 4chan's API ask for */
export const PAUSE_MS = 1000
/** waits after 429, 5xx or a lost connection; a Retry-After header can make them longer */
const WAITS_MS = [2000, 10_000, 30_000, 60_000]
const MAX_WAIT_MS = 10 * 60_000
const USER_AGENT = 'dtp-site import'

type PoliteOptions = { maxBytes: number; since?: Date }

let pauseMs = PAUSE_MS
let nextAt = 0
/** A site that has never answered, as with a wrong host name, gets no further requests. */
let hasAnswered = false

/** Shortens all waits, for tests with a server of their own. */
export function setPause(ms: number): void {
  pauseMs = ms
}

/**
 * Reads a URL of the old site, one request at a time.
 * @returns null if the resource is missing, or has not changed since `since`
 * @throws FetchFailed if the site refuses or keeps failing
 */
export async function readPolitely(
  fetcher: Fetcher,
  url: URL,
  { maxBytes, since }: PoliteOptions,
): Promise<ReadResponse | null> {
  for (let attempt = 0; ; attempt++) {
    await sleep(Math.max(0, nextAt - Date.now()))
    nextAt = Date.now() + pauseMs
    const answer = await fetcher
      .read(url, {
        headers: { 'user-agent': USER_AGENT, ...(since && { 'if-modified-since': since.toUTCString() }) },
        totalMs: TIMEOUT_MS,
        maxBytes,
        maxRedirects: 3,
        // The operator names the host, which may be in a private network. Redirects to other private hosts are refused.
        trusts: (target) => target.host === url.host,
      })
      .catch((error) => {
        if (error instanceof FetchFailed && error.message !== 'too large') return error
        throw error
      })
    const wait = WAITS_MS[attempt]
    if (answer instanceof FetchFailed) {
      if (wait === undefined || !hasAnswered) throw answer
      nextAt = Date.now() + (wait * pauseMs) / PAUSE_MS
      continue
    }
    hasAnswered = true
    const { status, headers } = answer
    if (status === 200) return answer
    if (status === 304 || status === 404 || status === 410) return null
    if (wait === undefined || (status !== 429 && status < 500)) throw new FetchFailed(`status ${status}`)
    const asked = Number(headers['retry-after'] ?? 0) * 1000
    nextAt =
      Date.now() + Math.min(MAX_WAIT_MS, Math.max((wait * pauseMs) / PAUSE_MS, Number.isFinite(asked) ? asked : 0))
  }
}
