import { errors } from '#server/core/errors.ts'
import {
  createFetcher,
  FetchFailed,
  isSameServer,
  type OpenOptions,
  type OpenResponse,
  type ReadOptions,
} from '#server/core/http/fetcher.ts'
import { type ByteRange, RadioUnavailable } from '#server/features/radio/types.ts'
import type { Refusal } from '#src/contract/refusal.ts'

/** `listMs` is for lists of the archive. A service may look up the recordings in a bucket, which takes seconds. */
type Timeouts = { answerMs: number; listMs: number; connectMs: number; silenceMs: number }

/** With `answerMs` and a poll interval of 10 s, visitors see a failure within 15 s. */
export const DEFAULT_TIMEOUTS: Timeouts = { answerMs: 4_000, listMs: 20_000, connectMs: 10_000, silenceMs: 20_000 }

const MAX_JSON_BYTES = 2 * 1024 * 1024
const MAX_ART_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 3
const DEFAULT_PAUSE_SECONDS = 5
const MAX_PAUSE_SECONDS = 60
const AGENT = { 'user-agent': 'dtp-site' }

export type ServiceDeps = {
  /** base URL without `/api` or trailing slashes; trusted, so it may be in a private network */
  url: string
  key: string | null
  allowPrivateStreams?: boolean
  timeouts?: Timeouts
  now: () => Date
}

/** Creates a client that sends the API key only to this AzuraCast server. */
export function createClient(deps: ServiceDeps) {
  const { key, allowPrivateStreams = false, timeouts = DEFAULT_TIMEOUTS, now } = deps
  const fetcher = createFetcher()
  let pausedUntil = 0
  // A key from a file often ends with a newline, which is invalid in a header.
  const headers = { ...AGENT, ...(key !== null && { authorization: `Bearer ${key.trim()}` }) }

  const serviceUrl = new URL(deps.url)
  const isSameService = (url: URL) => isSameServer(serviceUrl, url)

  function rejectWhilePaused(): void {
    if (now().getTime() < pausedUntil) throw new RadioUnavailable('waiting after a 429')
  }

  function throwForStatus(status: number, retryAfter: unknown, missing: Refusal | null): never {
    if (status === 429) pausedUntil = now().getTime() + 1000 * retryAfterSeconds(retryAfter, now())
    if (status === 404 && missing !== null) throw errors.notFound(missing)
    throw new RadioUnavailable(`HTTP status ${status}`)
  }

  const read = (url: URL, options: Pick<ReadOptions, 'headers' | 'signal' | 'totalMs' | 'maxBytes' | 'follows'>) =>
    fetcher.read(url, { maxRedirects: MAX_REDIRECTS, trusts: isSameService, ...options }).catch(toUnavailable)

  const open = (url: URL, options: Pick<OpenOptions, 'headers' | 'signal' | 'trusts' | 'acceptIcy'>) =>
    fetcher
      .open(url, {
        ...{ maxRedirects: MAX_REDIRECTS, headMs: timeouts.connectMs, silenceMs: timeouts.silenceMs },
        ...options,
      })
      .catch(toUnavailable)

  return {
    close: fetcher.close,

    /** @param missing error message for a 404; null if a 404 means that the service failed */
    async fetchJson(
      url: URL,
      missing: Refusal | null,
      { totalMs = timeouts.answerMs, signal }: { totalMs?: number; signal?: AbortSignal } = {},
    ): Promise<unknown> {
      rejectWhilePaused()
      const answer = await read(url, {
        headers: { ...headers, accept: 'application/json', 'accept-encoding': 'gzip' },
        ...{ signal, totalMs, maxBytes: MAX_JSON_BYTES, follows: (_from, to) => isSameService(to) },
      })
      const text = answer.bytes.toString()
      if (answer.status !== 200) {
        // An HTML page comes from a proxy, so its 404 does not mean that the resource is missing.
        const isPage = text.trimStart().startsWith('<')
        throwForStatus(answer.status, answer.headers['retry-after'], isPage ? null : missing)
      }
      try {
        return JSON.parse(text.replace(/^\ufeff/, ''))
      } catch {
        throw new RadioUnavailable('invalid JSON')
      }
    },

    /**
     * Opens a stream without the API key. Hosts other than AzuraCast's must be public, because a compromised service
     * could send the URL of an internal host.
     */
    async openStream(url: URL, signal: AbortSignal): Promise<OpenResponse> {
      const requestHeaders = { ...AGENT, 'icy-metadata': '1', 'accept-encoding': 'identity' }
      const isAtOwnHost = url.hostname === serviceUrl.hostname
      const trusts = (to: URL) => allowPrivateStreams || isSameService(to) || (isAtOwnHost && to.origin === url.origin)
      const opened = await open(url, { signal, headers: requestHeaders, trusts, acceptIcy: true })
      if (opened.status === 200) return opened
      opened.body.destroy()
      throw new RadioUnavailable(`HTTP status ${opened.status}`)
    },

    /** Opens a recording. Follows redirects to its storage, but does not send the API key there. */
    async openFile(url: URL, range: ByteRange | null, missing: Refusal, signal: AbortSignal): Promise<OpenResponse> {
      rejectWhilePaused()
      const part = range && { range: `bytes=${range.start}-${range.end}` }
      const requestHeaders = { ...headers, 'accept-encoding': 'identity', ...part }
      const opened = await open(url, { signal, headers: requestHeaders, trusts: isSameService })
      if (opened.status === 200 || (range && [206, 416].includes(opened.status))) return opened
      opened.body.destroy()
      return throwForStatus(opened.status, opened.headers['retry-after'], missing)
    },

    async fetchImage(url: URL): Promise<Buffer> {
      const options = { headers: AGENT, totalMs: timeouts.answerMs, maxBytes: MAX_ART_BYTES }
      const { status, bytes } = await read(url, options)
      if (status !== 200) throw new RadioUnavailable(`HTTP status ${status}`)
      return bytes
    },
  }
}

function toUnavailable(error: unknown): never {
  throw error instanceof FetchFailed ? new RadioUnavailable(error.message) : error
}

function retryAfterSeconds(value: unknown, now: Date): number {
  const text = String(value ?? '')
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? DEFAULT_PAUSE_SECONDS : Math.min(Math.max(seconds, 1), MAX_PAUSE_SECONDS)
}
