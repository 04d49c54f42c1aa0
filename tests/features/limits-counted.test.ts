import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowance, knownNetwork } from '#db/schema/index.ts'
import { deleteFullBuckets, raiseLevel, raiseLevelWith } from '#server/core/limits/tokenBuckets.ts'
import { createUser } from '#server/features/auth/service.ts'
import { jobs } from '#server/jobs.ts'
import {
  advanceToLaterDay,
  CLIENT_IP,
  consumeAllowance,
  createPasteFrom,
  type LimitedResponse,
  MINUTE,
  OTHER_CLIENT_IP,
  postFrom,
  type RateLimitedSite,
  rates,
  startRateLimitedSite,
  tooManyRequests,
} from '#tests/helpers/rateLimitedSite.ts'

const { burst } = rates.paste
const LOGIN = '/api/dtpchan/admin/login'

let site: RateLimitedSite
beforeAll(async () => {
  site = await startRateLimitedSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  advanceToLaterDay(site)
  await deleteFullBuckets(site.database.db, new Date(site.now))
})

const paste = (from = CLIENT_IP, headers = {}) => createPasteFrom(site.app, from, headers)
const rows = () => site.database.db.select().from(allowance)

async function untilEmpty(act: () => Promise<LimitedResponse>): Promise<void> {
  for (let taken = 0; taken < burst; taken++) expect((await act()).status).toBe(200)
}

describe('the rate limits', () => {
  test('count two hundred simultaneous requests over two processes', async () => {
    const apps = [site.app, await site.start()] as const
    const asked = Array.from({ length: 200 }, (_, number) =>
      consumeAllowance(apps[number % 2 ? 1 : 0], CLIENT_IP, 'paste', 1),
    )
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(burst)
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : []))
    expect(new Set(reasons)).toEqual(new Set(['TOO_MANY_REQUESTS']))
  })

  test('count each call of a batch', async () => {
    const ask = (calls: number) =>
      postFrom(site.app, CLIENT_IP, `/trpc/${Array(calls).fill('site.captcha').join(',')}?batch=1`, {})
    for (let sent = 0; sent < rates.captcha.burst; sent += 20) expect((await ask(20)).status).toBe(200)
    const { status, body, retryAfter } = await ask(1)
    const error = 'Too many captchas from your network. Please try again in 1 s.'
    expect([status, retryAfter, body[0].error.json.message]).toEqual([429, '1', error])
    site.now += 1000
    const mixed = await ask(20)
    expect([mixed.status, mixed.retryAfter]).toEqual([207, '1'])
    expect(mixed.body.filter((one: object) => 'result' in one)).toHaveLength(1)
  })

  test('survive a restart', async () => {
    await consumeAllowance(site.app, CLIENT_IP, 'paste')
    await site.restart()
    expect((await paste()).status).toBe(429)
    expect((await paste(OTHER_CLIENT_IP)).status).toBe(200)
  })

  test('count nothing with RATE_LIMIT=off', async () => {
    const free = await site.start({ RATE_LIMIT: 'off' })
    for (let made = 0; made <= burst; made++) expect((await createPasteFrom(free, CLIENT_IP)).status).toBe(200)
    expect(await rows()).toEqual([])
  })
})

describe('a visitor is identified', () => {
  let serial = 0
  const behind = (...hops: string[]) => ({ 'x-forwarded-for': hops.join(', ') })

  test.each([
    ['by the address of an IPv4', '192.0.2.55', '::ffff:192.0.2.55', '192.0.2.56'],
    ['by the /64 of an IPv6', '2001:db8:7:7::1', '2001:db8:7:7:ffff:1:2:3', '2001:db8:7:8::1'],
  ])('%s', async (_name, one, same, other) => {
    await untilEmpty(() => paste(one))
    expect((await paste(same)).status).toBe(429)
    expect((await paste(other)).status).toBe(200)
  })

  test('by the connection when no proxy is trusted', async () => {
    await untilEmpty(() => paste(CLIENT_IP, behind(`10.9.8.${serial++}`)))
    expect((await paste(CLIENT_IP, behind('10.1.1.1'))).status).toBe(429)
    expect((await paste(CLIENT_IP, { forwarded: 'for=10.1.1.1', 'x-real-ip': '10.1.1.1' })).status).toBe(429)
    expect((await paste('10.1.1.1')).status).toBe(200)
  })

  test('by the header of a trusted proxy only', async () => {
    const proxied = await site.start({ TRUST_PROXY: '10.0.0.1, 10.0.1.0/24' })
    const through = (from: string, ...hops: string[]) => createPasteFrom(proxied, from, behind(...hops))
    await untilEmpty(() => through('10.0.0.1', CLIENT_IP))
    expect((await through('10.0.0.1', CLIENT_IP)).status).toBe(429)
    expect((await through('10.0.1.77', CLIENT_IP)).status).toBe(429)
    // The proxy appends the visitor's address to the addresses that the visitor claims.
    expect((await through('10.0.0.1', '10.9.9.9', CLIENT_IP)).status).toBe(429)
    expect((await through('10.0.0.1', CLIENT_IP, '10.0.1.5')).status).toBe(429)
    // The server ignores addresses that an untrusted client claims.
    await untilEmpty(() => through('10.0.2.1', `10.9.8.${serial++}`))
    expect((await through('10.0.2.1', '10.7.7.7')).status).toBe(429)
  })

  test('without the port that a proxy adds, and as one visitor without an address', async () => {
    const proxied = await site.start({ TRUST_PROXY: '10.0.0.1' })
    const claim = (hop: string) => createPasteFrom(proxied, '10.0.0.1', behind(hop))
    await untilEmpty(() => claim(`198.51.100.77:${2000 + serial++}`))
    expect((await claim('198.51.100.77:80')).status).toBe(429)
    await untilEmpty(() => claim(`nonsense-${serial++}`))
    expect((await claim('other nonsense')).status).toBe(429)
  })
})

describe('the stored network', () => {
  const HASH = /^[\w-]{43}$/

  test('is a hash that reveals neither the address nor a link between days', async () => {
    site.now = Date.parse('2027-03-01T23:59:59.900Z')
    // Expected rows: the network's pastes, the network's bytes, and the pastes of the whole site.
    const perPaste = rates.paste.everySeconds * 1000
    const counted = (times: number) =>
      [site.now + times * perPaste, expect.any(Number), site.now + (times * perPaste) / config.limits.siteFactor].map(
        (fullAt) => ({ key: expect.stringMatching(HASH), fullAt }),
      )
    const { config } = site.app.services
    await paste()
    await paste()
    const before = await rows()
    expect(before).toEqual(counted(2))
    site.now += 100
    await paste()
    expect((await rows()).filter(({ key }) => !before.some((row) => row.key === key))).toEqual(counted(1))
    await postFrom(site.app, CLIENT_IP, LOGIN, { email: 'who@example.org', password: 'wrong' })
    await createUser(site.database.db, { email: 'who@example.org', password: 'right password', role: 'member' })
    await postFrom(site.app, CLIENT_IP, LOGIN, { email: 'who@example.org', password: 'right password' })
    const networks = await site.database.db.select().from(knownNetwork)
    expect(networks).toEqual([expect.objectContaining({ network: expect.stringMatching(HASH) })])
    expect(JSON.stringify([await rows(), networks])).not.toMatch(/192\.0\.2|example\.org/)
  })

  test('is deleted by a job when it is no longer needed', async () => {
    await paste()
    await paste(OTHER_CLIENT_IP)
    await paste(OTHER_CLIENT_IP)
    site.now += 10_001
    const sweep = jobs.find(({ name }) => name === 'allowances')
    await sweep?.run(site.app.services, new AbortController().signal)
    expect(await rows()).toEqual([{ key: expect.any(String), fullAt: site.now - 1 + 10_000 }])
  })
})

describe('a clock that is set back', () => {
  test('by seconds adds no allowance', async () => {
    await consumeAllowance(site.app, CLIENT_IP, 'paste')
    site.now -= 5000
    expect(await paste()).toEqual(tooManyRequests('Too many pastes from your network. Please try again in 15 s.', 15))
  })

  test('by hours blocks no network', async () => {
    await consumeAllowance(site.app, CLIENT_IP, 'paste')
    site.now -= 3 * 60 * MINUTE
    await untilEmpty(paste)
    expect((await paste()).retryAfter).toBe('10')
  })

  test('by hours raises no level', async () => {
    const { db } = site.database
    const bucket = { key: 'posts', costMs: 1000, capacityMs: MINUTE }
    const earlier = new Date(site.now - 3 * 60 * MINUTE)
    expect(await raiseLevel(db, new Date(site.now), bucket)).toBe(1000)
    expect(await raiseLevel(db, earlier, bucket)).toBe(1000)
    await raiseLevel(db, new Date(site.now), bucket)
    const { statements, raised } = raiseLevelWith(bucket, earlier, sql`true`)
    expect([...(await db.execute(sql`with ${statements} select ${raised} as level`))]).toEqual([{ level: 1000 }])
  })

  test('by minutes raises no level to a raid, and the clocks of two processes lower none', async () => {
    const { db } = site.database
    const bucket = { key: 'posts of a raid', costMs: 1000, capacityMs: MINUTE }
    const at = (minutes: number) => new Date(site.now + minutes * MINUTE)
    for (const minutes of [0, -1.5, -4, -6]) expect(await raiseLevel(db, at(minutes), bucket)).toBe(1000)
    await raiseLevel(db, at(0), { ...bucket, costMs: MINUTE })
    expect(await raiseLevel(db, at(-0.05), bucket)).toBe(MINUTE)
  })
})
