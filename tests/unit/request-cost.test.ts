import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { createRequestCosts, type RequestCosts } from '#server/core/limits/requestCost.ts'

let now: number
let costs: RequestCosts

function start(env: Record<string, string> = {}): void {
  now = 1_000_000
  const config = readConfig({ REQUEST_COST_PER_NETWORK: '10/2s', REQUEST_COST_TOTAL: '100/1s', ...env })
  costs = createRequestCosts(config, () => now)
}
beforeEach(() => start())

const charge = (ip: string, units: number, headers: Record<string, string> = {}) =>
  costs.charge({ ip, headers, socket: { remoteAddress: '127.0.0.1' } } as never, units)
/** Charges single units until one is refused, and returns the number of granted units. */
function granted(ip: string, headers?: Record<string, string>): number {
  for (let number = 0; number < 1000; number++) {
    try {
      charge(ip, 1, headers)
    } catch {
      return number
    }
  }
  return Number.POSITIVE_INFINITY
}

test('a network has its burst, and gains one unit per interval', () => {
  expect(granted('198.51.100.1')).toBe(10)
  expect(granted('198.51.100.2')).toBe(10)
  now += 6000
  expect(granted('198.51.100.1')).toBe(3)
})

test('a refusal returns the time to wait and costs nothing', () => {
  charge('198.51.100.1', 9)
  for (let number = 0; number < 5; number++) {
    expect(() => charge('198.51.100.1', 3)).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_REQUESTS',
        retryAfter: 4,
        message: 'Too many requests from your network. Please try again in 4 s.',
      }),
    )
  }
  now += 4000
  charge('198.51.100.1', 3)
})

test('an IPv6 /56 has twice and a /48 eight times the units of a /64', () => {
  expect(granted('2001:4860:1:101::1')).toBe(10)
  expect(granted('2001:4860:1:101::2')).toBe(0)
  expect(granted('2001:4860:1:102::1')).toBe(10)
  expect(granted('2001:4860:1:103::1')).toBe(0)
  let all = 20
  for (let home = 2; home < 20; home++) all += granted(`2001:4860:1:${home}00::1`)
  expect(all).toBe(80)
})

test('limits all visitors together, and returns the time to wait', () => {
  let all = 0
  for (let host = 1; host < 50; host++) all += granted(`198.51.100.${host}`)
  expect(all).toBe(100)
  expect(() => charge('192.0.2.200', 1)).toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 }),
  )
})

test('a cost above the burst takes the whole burst', () => {
  charge('198.51.100.1', 1000)
  expect(granted('198.51.100.1')).toBe(0)
})

test('counts visitors behind an unknown proxy only for the site', () => {
  expect(granted('127.0.0.1', { 'x-forwarded-for': '198.51.100.1' })).toBe(100)
})

test('counts nothing with RATE_LIMIT=off', () => {
  start({ RATE_LIMIT: 'off' })
  expect(granted('198.51.100.1')).toBe(Number.POSITIVE_INFINITY)
})

test('limits the number of remembered networks', () => {
  start({ REQUEST_COST_TOTAL: '10000000/1s' })
  for (let number = 0; number < 120_000; number++)
    charge(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`, 1)
  // The server has forgotten the first network, but still counts the last network.
  expect(granted('10.0.0.0')).toBe(10)
  expect(granted('10.1.212.191')).toBe(9)
})
