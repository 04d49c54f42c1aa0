import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Config } from '#server/core/config/config.ts'
import type { Services } from '#server/core/context.ts'
import { FetchFailed, type ReadResponse } from '#server/core/http/fetcher.ts'
import { parseFeed } from './feed/parseFeed.ts'
import { type Feed, FeedParseError } from './feed/types.ts'

export type Validators = { etag: string | null; lastModified: string | null }

export type FetchResult =
  | { kind: 'read'; feed: Feed; validators: Validators; headers: IncomingHttpHeaders; url: URL; movedTo: string | null }
  | { kind: 'unchanged'; headers: IncomingHttpHeaders; movedTo: string | null }
  | { kind: 'failed'; reason: string; status: number | null; headers: IncomingHttpHeaders }

export const FEED_TIMEOUT_MS = 20_000
const MAX_FEED_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 5
const MAX_REASON_LENGTH = 300
/** Limits the length of a stored URL. */
const MAX_URL_LENGTH = 2000
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1'

const NETWORK_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host could not be looked up',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

export async function fetchFeed(
  { config, fetcher }: Pick<Services, 'config' | 'fetcher'>,
  url: string,
  { known, signal, totalMs = FEED_TIMEOUT_MS }: { known?: Validators; signal?: AbortSignal; totalMs?: number } = {},
): Promise<FetchResult> {
  const conditions = {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
  let response: ReadResponse
  try {
    response = await fetcher.read(new URL(url), {
      headers: { ...requestHeaders(config, ACCEPT), ...conditions },
      signal,
      totalMs,
      maxBytes: MAX_FEED_BYTES,
      maxRedirects: MAX_REDIRECTS,
      trusts: () => config.allowPrivateNetwork,
    })
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    return failed(NETWORK_ERRORS[error.message] ?? error.message, null, {})
  }
  const { status, headers } = response
  const moved = response.movedTo?.href ?? null
  const movedTo = moved === url || (moved?.length ?? 0) > MAX_URL_LENGTH ? null : moved
  if (status === 304 && Object.keys(conditions).length > 0) return { kind: 'unchanged', headers, movedTo }
  if (status !== 200) return failed(`answered ${status}`, status, headers)
  try {
    const feed = parseFeed(unzip(response.bytes), { contentType: headers['content-type'], url: response.url })
    const validators = { etag: storableHeader(headers.etag), lastModified: storableHeader(headers['last-modified']) }
    return { kind: 'read', feed, validators, headers, url: response.url, movedTo }
  } catch (error) {
    // Report parser bugs as a failure of this feed, so that the other feeds are still fetched.
    const reason = error instanceof FeedParseError ? error.message : `could not be read (${(error as Error).name})`
    return failed(reason, status, headers)
  }
}

/** Some servers send files that are compressed as such, without saying so in a header. */
const unzip = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MAX_FEED_BYTES }) : bytes

function failed(reason: string, status: number | null, headers: IncomingHttpHeaders): FetchResult {
  const oneLine = reason.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
  return { kind: 'failed', reason: oneLine.slice(0, MAX_REASON_LENGTH), status, headers }
}

/** Rejects values that are too long to store or that a request header cannot contain. */
const storableHeader = (value: string | undefined): string | null =>
  value && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null

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
