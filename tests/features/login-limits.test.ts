import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { knownNetwork } from '#db/schema/index.ts'
import type { App } from '#server/app.ts'
import { createUser } from '#server/features/auth/service.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import {
  advanceToLaterDay,
  MINUTE,
  postFrom,
  type RateLimitedSite,
  rates,
  startRateLimitedSite,
} from '#tests/helpers/rateLimitedSite.ts'

const PASSWORD = 'correct horse battery'
const HOME = '192.0.2.1'
const HOTEL = '198.51.100.9'
const OWNER = 'owner@example.org'

let site: RateLimitedSite
/** allows twelve guesses per account from unknown networks, then two per minute */
let strict: App
beforeAll(async () => {
  site = await startRateLimitedSite()
  strict = await site.start({ RATE_LOGIN_ACCOUNT: '12/30s' })
  await createUser(site.database.db, { email: OWNER, role: 'admin', password: PASSWORD })
})
afterAll(() => site.close())
beforeEach(async () => {
  advanceToLaterDay(site)
  await site.database.db.delete(knownNetwork)
})

const login = (from: string, { password = PASSWORD, email = OWNER, app = strict } = {}) =>
  postFrom(app, from, '/api/dtpchan/admin/login', { email, password })
const statusOf = async (answer: ReturnType<typeof login>) => (await answer).status
const guess = (from: string, email?: string, app?: App) => statusOf(login(from, { password: 'wrong', email, app }))
const attacker = (number: number) => `203.0.113.${number}`

/** Guesses twice from each of 64 networks. Returns how many guesses the server checked. */
async function guessFrom64(email?: string): Promise<number> {
  let checked = 0
  for (let number = 0; number < 128; number++) {
    if ((await guess(attacker(number % 64), email)) === 401) checked++
  }
  return checked
}

describe('guesses from 64 networks', () => {
  test.runIf(isDeep)('do not block a network that logged in before, and block others for half a minute', async () => {
    expect(await statusOf(login(HOME))).toBe(200)
    expect(await guessFrom64(OWNER)).toBe(12)
    expect(await statusOf(login(HOME))).toBe(200)
    expect(await login(HOTEL)).toEqual({
      status: 429,
      body: { success: false, error: 'Too many attempts. Please try again in 30 s.' },
      retryAfter: '30',
    })
    site.now += 30_000
    expect(await statusOf(login(HOTEL))).toBe(200)
    // The server now knows the network of HOTEL, so guesses from elsewhere no longer block logins from it.
    expect(await guess(attacker(1))).toBe(401)
    expect(await guess(attacker(1))).toBe(429)
    expect(await statusOf(login(HOTEL))).toBe(200)
  })

  test('are refused in the same way for an unknown email', async () => {
    expect(await guessFrom64('nobody@example.org')).toBe(12)
    expect((await login(HOTEL, { email: 'nobody@example.org' })).retryAfter).toBe('30')
  })

  test('cost the networks nothing while they are not checked', async () => {
    await guessFrom64()
    for (let time = 0; time < 2 * rates.login.burst; time++) expect(await guess(HOTEL)).toBe(429)
    for (let time = 0; time < rates.login.burst; time++) {
      expect(await guess(HOTEL, `somebody-${time}@example.org`)).toBe(401)
    }
  })
})

describe('one network', () => {
  test('gets ten guesses at an account, also after a login, and then guesses at others', async () => {
    expect(await statusOf(login(HOME))).toBe(200)
    for (let time = 0; time < 10; time++) expect(await guess(HOME)).toBe(401)
    expect(await login(HOME)).toMatchObject({ status: 429, retryAfter: '120' })
    for (let time = 0; time < 10; time++) expect(await guess(HOME, `other-${time}@example.org`)).toBe(401)
    const last = await login(HOME, { email: 'last@example.org' })
    expect(last.body.error).toMatch(/^Too many logins from your network/)
  })

  test('does not block other networks by guessing continuously', async () => {
    for (const start = site.now; site.now < start + 30 * MINUTE; site.now += 15_000) await guess(attacker(1))
    expect(await statusOf(login(HOTEL))).toBe(200)
  })
})

test.runIf(isDeep)('does not count a login that the busy server could not check', async () => {
  const email = 'busy@example.org'
  const { app } = site
  const answers = await Promise.all(Array.from({ length: 60 }, (_, number) => guess(attacker(number), email, app)))
  const checked = answers.filter((status) => status === 401).length
  expect(checked).toBeLessThan(60)
  expect(answers.filter((status) => status === 503).length).toBe(60 - checked)
  for (let number = checked; number < 100; number++) expect(await guess(attacker(number), email, app)).toBe(401)
  expect(await guess(attacker(100), email, app)).toBe(429)
})

test.runIf(isDeep)('remembers the last twenty networks of an account', async () => {
  for (let number = 0; number < 25; number++) {
    site.now += MINUTE
    expect(await statusOf(login(attacker(number)))).toBe(200)
  }
  expect(await site.database.db.select().from(knownNetwork)).toHaveLength(20)
  for (let number = 0; number < 12; number++) expect(await guess(attacker(100 + number))).toBe(401)
  expect(await statusOf(login(attacker(24)))).toBe(200)
  expect(await statusOf(login(attacker(0)))).toBe(429)
})
