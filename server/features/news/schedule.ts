import type { IncomingHttpHeaders } from 'node:http'

const MINUTE = 60_000
/** Limits the wait between fetches, because a misconfigured feed may ask for years. */
const MAX_WAIT_MS = 24 * 60 * MINUTE
const MAX_DOUBLINGS = 30
/** Limits the wait when feeds do not respond: perhaps only this server is offline. */
const MAX_DOUBLINGS_UNANSWERED = 2

type Timing = {
  now: Date
  refreshMinutes: number
  headers: IncomingHttpHeaders
}

/** @param ttl refresh interval in seconds */
export function nextFetchAfterSuccess({ now, refreshMinutes, headers, ttl }: Timing & { ttl: number | null }): Date {
  const requestedWaits = [
    (ttl ?? 0) * 1000,
    parseMaxAge(headers['cache-control']),
    parseRetryAfter(headers['retry-after'], now) ?? 0,
  ]
  const wait = Math.max(refreshMinutes * MINUTE, ...requestedWaits.filter(Number.isFinite))
  return addJitter(now, wait, 0.05)
}

/** @param status null if the server got no response @param failures in a row, including the current failure */
export function nextFetchAfterFailure({
  now,
  refreshMinutes,
  headers,
  status,
  failures,
}: Timing & { status: number | null; failures: number }): Date {
  if (status === 410) return addJitter(now, MAX_WAIT_MS, 0)
  const requested = status === 429 || status === 503 ? parseRetryAfter(headers['retry-after'], now) : null
  if (requested !== null) return addJitter(now, Math.max(refreshMinutes * MINUTE, requested), 0.05)
  const doublings = Math.min(failures - 1, status === null ? MAX_DOUBLINGS_UNANSWERED : MAX_DOUBLINGS)
  return addJitter(now, refreshMinutes * MINUTE * 2 ** doublings, 0.25)
}

/** Adds jitter: feeds that failed together should not be fetched together again. */
function addJitter(now: Date, wait: number, spread: number): Date {
  return new Date(now.getTime() + Math.min(Math.round(wait * (1 + spread * Math.random())), MAX_WAIT_MS))
}

function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(date - now.getTime(), 0)
}

function parseMaxAge(header: string | undefined): number {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,12})/i.exec(header ?? '')?.[1]
  return Number(seconds ?? 0) * 1000
}
