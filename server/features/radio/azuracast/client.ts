import { errors } from '#server/core/errors.ts'
import {
  type Fetcher,
  FetchFailed,
  isSameServer,
  type Opened,
  type OpenOptions,
  type Read,
} from '#server/core/http/fetcher.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'

export type Timeouts = {
  /** ms for a whole answer of the calls, all its pages together, and for a picture */
  answerMs: number
  /** ms until a stream or a recording begins */
  connectMs: number
  /** ms without a byte after which a stream or a recording is taken for dead */
  silenceMs: number
}

const MAX_JSON_BYTES = 2 * 1024 * 1024
const MAX_ART_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 3
/** Seconds to leave a service alone that said 'too many' and not for how long; and at most. */
const DEFAULT_PAUSE_SECONDS = 5
const MAX_PAUSE_SECONDS = 60
const AGENT = { 'user-agent': 'dtp-site' }

/** Speaks to one AzuraCast: in time, bounded, with its key and never with its key elsewhere. */
export function createClient({
  fetcher,
  origin,
  key,
  allowPrivateStreams,
  timeouts,
  now,
}: {
  fetcher: Fetcher
  origin: string
  key: string | null
  allowPrivateStreams: boolean
  timeouts: Timeouts
  now: () => Date
}) {
  let pausedUntil = 0
  // A key read from a file often has a line end, which no header takes.
  const headers = { ...AGENT, ...(key !== null && { authorization: `Bearer ${key.trim()}` }) }

  const serviceUrl = new URL(origin)
  const isSameService = (url: URL) => isSameServer(serviceUrl, url)

  function rejectWhilePaused(): void {
    if (now().getTime() < pausedUntil) throw new RadioUnavailable('asked to wait')
  }

  /** @throws RadioUnavailable, or NOT_FOUND with `missing` where the service can know no such thing */
  function throwForStatus(status: number, retryAfter: unknown, missing: string | null): never {
    if (status === 429) pausedUntil = now().getTime() + 1000 * retryAfterSeconds(retryAfter, now())
    if (status === 404 && missing !== null) throw errors.notFound(missing)
    throw new RadioUnavailable(`answered ${status}`)
  }

  return {
    /**
     * The JSON of one call.
     * @param missing what is said when the service knows no such thing; null: it must
     */
    async fetchJson(url: URL, missing: string | null, signal?: AbortSignal): Promise<unknown> {
      rejectWhilePaused()
      const answer = await convertFetchErrors<Read>(() =>
        fetcher.read(url, {
          headers: { ...headers, accept: 'application/json', 'accept-encoding': 'gzip' },
          signal,
          totalMs: timeouts.answerMs,
          bytes: MAX_JSON_BYTES,
          redirects: MAX_REDIRECTS,
          follows: (_from, to) => isSameService(to),
          trusts: isSameService,
        }),
      )
      const text = answer.bytes.toString()
      if (answer.status !== 200) {
        // A page instead of an answer is of somebody who stands between: it says nothing of what the service knows.
        const isPage = text.trimStart().startsWith('<')
        throwForStatus(answer.status, answer.headers['retry-after'], isPage ? null : missing)
      }
      try {
        return JSON.parse(text.replace(/^\ufeff/, ''))
      } catch {
        throw new RadioUnavailable('answered no JSON')
      }
    },

    /**
     * The sound of a station, without our key. On the service's own host it may be at another port, where its stations
     * are; any other host must be public, or a service that was taken over could send us into the own network.
     */
    async openStream(url: URL, signal: AbortSignal): Promise<Opened> {
      const wanted = { ...AGENT, 'icy-metadata': '1', 'accept-encoding': 'identity' }
      const isAtOwnHost = url.hostname === serviceUrl.hostname
      const trusts = (to: URL) => allowPrivateStreams || isSameService(to) || (isAtOwnHost && to.origin === url.origin)
      const opened = await open(url, { signal, headers: wanted, trusts })
      if (opened.status === 200) return opened
      opened.body.destroy()
      throw new RadioUnavailable(`answered ${opened.status}`)
    },

    /** A recording, by way of wherever the service keeps it; there our key is not sent. */
    async openFile(url: URL, range: string | undefined, missing: string, signal: AbortSignal): Promise<Opened> {
      rejectWhilePaused()
      const wanted = { ...headers, 'accept-encoding': 'identity', ...(range !== undefined && { range }) }
      const opened = await open(url, { signal, headers: wanted, trusts: isSameService })
      if ([200, 206, 416].includes(opened.status)) return opened
      opened.body.destroy()
      return throwForStatus(opened.status, opened.headers['retry-after'], missing)
    },

    /** A picture, bounded and undecoded. */
    async fetchImage(url: URL): Promise<Buffer> {
      const options = {
        totalMs: timeouts.answerMs,
        bytes: MAX_ART_BYTES,
        redirects: MAX_REDIRECTS,
        headers: AGENT,
        trusts: isSameService,
      }
      const { status, bytes } = await convertFetchErrors<Read>(() => fetcher.read(url, options))
      if (status !== 200) throw new RadioUnavailable(`answered ${status}`)
      return bytes
    },
  }

  function open(url: URL, options: Pick<OpenOptions, 'headers' | 'signal' | 'trusts'>): Promise<Opened> {
    const { connectMs, silenceMs } = timeouts
    return convertFetchErrors(() =>
      fetcher.open(url, { ...options, redirects: MAX_REDIRECTS, headMs: connectMs, silenceMs }),
    )
  }
}

async function convertFetchErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof FetchFailed ? new RadioUnavailable(error.message) : error
  }
}

/** Seconds to wait, from a Retry-After with seconds or a date. */
function retryAfterSeconds(value: unknown, now: Date): number {
  const text = String(value ?? '')
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return Number.isNaN(seconds) ? DEFAULT_PAUSE_SECONDS : Math.min(Math.max(seconds, 1), MAX_PAUSE_SECONDS)
}
