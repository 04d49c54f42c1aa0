import type { IncomingHttpHeaders } from 'node:http'

const MINUTE = 60_000
/** Longest time a feed is left alone, whatever it asks for: a slip of its server should not silence it for good. */
const LONGEST = 24 * 60 * MINUTE
const DOUBLINGS = 30
/** It may be our own line that is down, for all feeds: when it is back, none should be missing for another day. */
const DOUBLINGS_UNANSWERED = 2

type Moment = {
  now: Date
  refreshMinutes: number
  headers: IncomingHttpHeaders
  /** from 0 to 1 */
  random?: () => number
}

/** When a feed is asked again that could be read; its own wishes can only make that later. `ttl` in seconds. */
export function afterSuccess({ now, refreshMinutes, headers, ttl, random }: Moment & { ttl: number | null }): Date {
  const wishes = [(ttl ?? 0) * 1000, maxAge(headers['cache-control']), retryAfter(headers['retry-after'], now) ?? 0]
  const wait = Math.max(refreshMinutes * MINUTE, ...wishes.filter(Number.isFinite))
  return later(now, wait, 0.05, random)
}

/**
 * When a feed is asked again that could not be read.
 * @param status of its answer; null where none came
 * @param failures in a row, this one too
 */
export function afterFailure({
  now,
  refreshMinutes,
  headers,
  status,
  failures,
  random,
}: Moment & { status: number | null; failures: number }): Date {
  if (status === 410) return later(now, LONGEST, 0, random)
  const asked = status === 429 || status === 503 ? retryAfter(headers['retry-after'], now) : null
  if (asked !== null) return later(now, Math.max(refreshMinutes * MINUTE, asked), 0.05, random)
  const doublings = Math.min(failures - 1, status === null ? DOUBLINGS_UNANSWERED : DOUBLINGS)
  return later(now, refreshMinutes * MINUTE * 2 ** doublings, 0.25, random)
}

/** Spread by a part of the wait, so that what failed together is not asked again together. */
function later(now: Date, wait: number, spread: number, random = Math.random): Date {
  return new Date(now.getTime() + Math.min(Math.round(wait * (1 + spread * random())), LONGEST))
}

/** Milliseconds to wait from a Retry-After with seconds or a date; null for what is neither. */
function retryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(date - now.getTime(), 0)
}

/** Milliseconds an answer says it stays fresh. */
function maxAge(header: string | undefined): number {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,12})/i.exec(header ?? '')?.[1]
  return Number(seconds ?? 0) * 1000
}
