import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { type App, buildApp } from '#server/app.ts'
import type { LimitKind } from '#server/core/config/config.ts'
import { readConfig } from '#server/core/config/config.ts'
import { createContext } from '#server/core/context.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import { deriveSecrets } from '#server/core/security/secrets.ts'
import { testDatabase } from './databases.ts'

/** default limits per network */
export const { rates } = readConfig({}).limits

/** IP addresses of two visitors on different networks */
export const CLIENT_IP = '192.0.2.1'
export const OTHER_CLIENT_IP = '198.51.100.9'
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** A rate-limited site with a stopped clock. One or more apps share its database. */
export type RateLimitedSite = {
  app: App
  database: DatabaseHandle
  /** current time of all apps, in ms */
  now: number
  /** starts another app, like a second server process */
  start: (env?: Record<string, string>) => Promise<App>
  /** closes all apps and the database, then starts one app */
  restart: () => Promise<void>
  close: () => Promise<void>
}

export async function startRateLimitedSite(): Promise<RateLimitedSite> {
  const place = await testDatabase()
  const started: App[] = []
  const site = { now: Date.parse('2026-11-21T12:00:00Z') } as RateLimitedSite
  const end = async () => {
    for (const app of started.splice(0)) await app.close()
    await site.database.close()
  }
  site.start = async (env = {}) => {
    const app = await buildApp({
      config: readConfig({ LOG_LEVEL: 'silent', NEWS_FEEDS: '', DATA_DIR: place.dataDir, ...env }),
      database: site.database,
      secrets: deriveSecrets('a secret that only tests know, long enough'),
      now: () => new Date(site.now),
    })
    started.push(app)
    await app.ready()
    return app
  }
  const begin = async () => {
    site.database = await openDatabase(place)
    site.app = await site.start()
  }
  site.restart = async () => {
    await end()
    await begin()
  }
  site.close = async () => {
    await end()
    await place.cleanup()
  }
  await begin()
  return site
}

/** Sets the clock to noon two days later: all counts are reset, and midnight is twelve hours away. */
export function advanceToLaterDay(site: RateLimitedSite): void {
  site.now = (Math.floor(site.now / DAY) + 2.5) * DAY
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
export type LimitedResponse = { status: number; body: any; retryAfter: unknown }

/** Posts a form or JSON as a client with the given IP address. */
export async function postFrom(
  app: App,
  from: string,
  url: string,
  payload: object | FormData,
  headers: Record<string, string> = {},
): Promise<LimitedResponse> {
  const form = payload instanceof FormData ? new Response(payload) : null
  const type = form?.headers.get('content-type')
  const answer = await app.inject({
    method: 'POST',
    url,
    remoteAddress: from,
    headers: { ...headers, ...(type && { 'content-type': type }) },
    payload: form ? Buffer.from(await form.arrayBuffer()) : payload,
  })
  return { status: answer.statusCode, body: answer.json(), retryAfter: answer.headers['retry-after'] }
}

export const PASTE_INPUT = { content: 'x', expiryHours: 24 }
export const createPasteFrom = (app: App, from: string, headers?: Record<string, string>) =>
  postFrom(app, from, '/api/paste', PASTE_INPUT, headers)

/** Uses up a rate limit without sending requests. */
export async function consumeAllowance(
  app: App,
  ip: string,
  kind: LimitKind,
  times = rates[kind].burst,
): Promise<void> {
  const ctx = createContext(app.services, { ip, headers: {} })
  for (let taken = 0; taken < times; taken++) await consumeRateLimit(ctx, kind)
}

/** Returns the expected response to a rate-limited request. */
export const tooManyRequests = (error: string, retryAfter: number): LimitedResponse => ({
  status: 429,
  body: { success: false, error },
  retryAfter: String(retryAfter),
})
