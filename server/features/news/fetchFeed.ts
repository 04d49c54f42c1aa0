import type { IncomingHttpHeaders } from 'node:http'
import type { Services } from '#server/core/context.ts'
import { FetchFailed, type Read } from '#server/core/http/fetcher.ts'
import { parseFeed } from './feed/parseFeed.ts'
import { type Feed, FeedParseError } from './feed/types.ts'
import { requestHeaders } from './hostQueue.ts'

/** What a conditional request names, from an earlier answer. */
export type Validators = { etag: string | null; lastModified: string | null }

export type FeedAnswer =
  | { kind: 'read'; feed: Feed; validators: Validators; headers: IncomingHttpHeaders; url: URL }
  | { kind: 'unchanged'; headers: IncomingHttpHeaders }
  | { kind: 'failed'; reason: string; status: number | null; headers: IncomingHttpHeaders }

/** ms for the whole answer of a feed */
export const FEED_MS = 20_000
const BYTES = 5 * 1024 * 1024
const REDIRECTS = 5
const REASON_LENGTH = 300
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1'

/** Codes of the network in words for the operator. */
const plainReasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host could not be looked up',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

/** Asks a feed and reads its answer; whatever goes wrong is an answer too, with its reason in plain words. */
export async function askFeed(
  { config, fetcher }: Pick<Services, 'config' | 'fetcher'>,
  url: string,
  { known, signal, totalMs = FEED_MS }: { known?: Validators; signal?: AbortSignal; totalMs?: number } = {},
): Promise<FeedAnswer> {
  const conditions = {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
  let answer: Read
  try {
    answer = await fetcher.read(new URL(url), {
      headers: { ...requestHeaders(config, ACCEPT), ...conditions },
      signal,
      totalMs,
      bytes: BYTES,
      redirects: REDIRECTS,
      trusts: () => config.allowPrivateNetwork,
    })
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error
    return failed(plainReasons[error.message] ?? error.message, null, {})
  }
  const { status, headers } = answer
  if (status === 304 && Object.keys(conditions).length > 0) return { kind: 'unchanged', headers }
  if (status !== 200) return failed(`answered ${status}`, status, headers)
  try {
    const feed = parseFeed(answer.bytes, { contentType: headers['content-type'], url: answer.url })
    const validators = { etag: sendable(headers.etag), lastModified: sendable(headers['last-modified']) }
    return { kind: 'read', feed, validators, headers, url: answer.url }
  } catch (error) {
    // A document that breaks the reader is one feed's trouble, never that of the others.
    const reason = error instanceof FeedParseError ? error.message : `could not be read (${(error as Error).name})`
    return failed(reason, status, headers)
  }
}

function failed(reason: string, status: number | null, headers: IncomingHttpHeaders): FeedAnswer {
  const oneLine = reason.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
  return { kind: 'failed', reason: oneLine.slice(0, REASON_LENGTH), status, headers }
}

/** Only what is short and can be sent back as it came is worth keeping. */
const sendable = (value: string | undefined): string | null =>
  value && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null
