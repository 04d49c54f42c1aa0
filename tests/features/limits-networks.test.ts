import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '#server/app.ts'
import type { LimitKind } from '#server/core/config/config.ts'
import { createContext } from '#server/core/context.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import { deleteFullBuckets } from '#server/core/limits/tokenBuckets.ts'
import { advanceToLaterDay, type RateLimitedSite, rates, startRateLimitedSite } from '#tests/helpers/rateLimitedSite.ts'

const { burst } = rates.post
const AT_ONCE = 200

let site: RateLimitedSite
let apps: App[]
beforeAll(async () => {
  site = await startRateLimitedSite()
  apps = [site.app, await site.start()]
})
afterAll(() => site.close())
beforeEach(() => advanceToLaterDay(site))

/** Takes one token from a network's limit. `number` selects the process. */
const take = (ip: string, number = 0, kind: LimitKind = 'post') => {
  const app = apps[number % apps.length] as App
  return consumeRateLimit(createContext(app.services, { ip, headers: {} }), kind)
}

/** Returns how many simultaneous requests pass, and the errors of the others. */
async function sendSimultaneously(addressOf: (number: number) => string, count = AT_ONCE) {
  const all = await Promise.allSettled(Array.from({ length: count }, (_, number) => take(addressOf(number), number)))
  const refusals = all.flatMap((one) => (one.status === 'rejected' ? String(one.reason.message) : []))
  return { passed: count - refusals.length, refusals: [...new Set(refusals)] }
}
const hex = (number: number) => number.toString(16)
const inOne64 = (number: number) => `2001:db8:1:100::${hex(number + 1)}`
const inOne56 = (number: number) => `2001:db8:1:1${hex(number).padStart(2, '0')}::1`
const inOne48 = (number: number) => `2001:db8:1:${hex(number)}00::1`
const anywhere = (number: number) => `198.51.${number >> 8}.${number & 255}`

describe('of 200 posts at once, over two processes', () => {
  test.each([
    ['a /64', inOne64, 1],
    ['a /56', inOne56, 2],
    ['a /48', inOne48, 8],
  ])('%s gets exactly its allowance', async (_name, addressOf, share) => {
    const { passed, refusals } = await sendSimultaneously(addressOf)
    expect(passed).toBe(burst * share)
    expect(refusals).toHaveLength(1)
    expect(refusals[0]).toMatch(/^Too many posts from your network\. /)
    // After this time, the network has `share` tokens again.
    site.now += rates.post.everySeconds * 1000
    expect((await sendSimultaneously(addressOf)).passed).toBe(share)
  })

  test('the whole site gets exactly its allowance', async () => {
    const before = apps
    apps = [await site.start({ RATE_SITE_FACTOR: '3' }), await site.start({ RATE_SITE_FACTOR: '3' })]
    const { passed, refusals } = await sendSimultaneously(anywhere)
    apps = before
    expect(passed).toBe(3 * burst)
    expect(refusals).toEqual(['Too many posts on this site at the moment. Please try again in 4 s.'])
  })

  test('all pass from different networks while the site has an allowance', async () => {
    expect(await sendSimultaneously(anywhere)).toEqual({ passed: AT_ONCE, refusals: [] })
  })
})

describe('a refused request', () => {
  test('takes nothing from the wider networks', async () => {
    expect((await sendSimultaneously(inOne64)).passed).toBe(burst)
    expect((await sendSimultaneously(inOne64)).passed).toBe(0)
    expect((await sendSimultaneously((number) => inOne48(number + 2), 150)).passed).toBe(7 * burst)
  })

  test('takes nothing from the narrower networks', async () => {
    expect((await sendSimultaneously(inOne48)).passed).toBe(8 * burst)
    const unused = '2001:db8:1:ffff::1'
    await expect(take(unused)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 2 })
    // The refused request took nothing from the allowance of its /64.
    site.now += 2 * burst * rates.post.everySeconds * 1000
    expect((await sendSimultaneously(() => unused)).passed).toBe(burst)
  })
})

test('returns the whole allowance to each network', async () => {
  for (let round = 0; round < 3; round++) {
    const taken = await Promise.all(Array.from({ length: 8 * burst }, (_, number) => take(inOne48(number), number)))
    await expect(take('2001:db8:1:fffe::1')).rejects.toThrow('from your network')
    await Promise.all(taken.map((giveBack) => giveBack()))
  }
  expect((await sendSimultaneously(inOne48)).passed).toBe(8 * burst)
})

test('consumes, returns and cleans up without deadlocks', async () => {
  const { db } = site.database
  const rounds = Array.from({ length: AT_ONCE }, async (_, number) => {
    const giveBack = await take(inOne48(number % 60), number)
    if (number % 10 === 0) await deleteFullBuckets(db, new Date(site.now + 60_000))
    await giveBack()
  })
  const failed = (await Promise.allSettled(rounds)).flatMap((one) => (one.status === 'rejected' ? one.reason.code : []))
  expect(new Set(failed)).toEqual(new Set(failed.length > 0 ? ['TOO_MANY_REQUESTS'] : []))
})

test('does not count captchas and failed logins for the whole site, so that a few clients cannot block all others', async () => {
  const tight = await site.start({ RATE_SITE_FACTOR: '1', RATE_CAPTCHA: '1/1m', RATE_LOGIN: '1/1m' })
  const from = (ip: string, kind: LimitKind) =>
    consumeRateLimit(createContext(tight.services, { ip, headers: {} }), kind)
  for (const kind of ['captcha', 'login'] as const) {
    await from(anywhere(1), kind)
    await from(anywhere(2), kind)
    await expect(from(anywhere(1), kind)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 60 })
  }
})
