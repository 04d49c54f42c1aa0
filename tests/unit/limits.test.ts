import { expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { tooSoon } from '#server/core/errors.ts'
import { visitorNetwork } from '#server/core/limits/networks.ts'
import { createMemoryBuckets } from '#server/core/limits/tokenBuckets.ts'
import { refusal } from '#src/contract/refusal.ts'

test.each([
  ['an IPv4 alone', '192.0.2.7', '192.0.2.7'],
  ['an IPv4 with a port', '192.0.2.7:50123', '192.0.2.7'],
  ['an IPv4 in an IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
  ['the same in hexadecimal', '::FFFF:c000:207', '192.0.2.7'],
  ['the same written out, with a port', '[0:0:0:0:0:ffff:192.0.2.7]:443', '192.0.2.7'],
  ['an IPv6 by its network', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['another of that network', '2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['one with a port', '[2001:db8:1:2::9]:443', '2001:db8:1:2'],
  ['one with zeros in its network', '2001:db8::2:3:4:5', '2001:db8:0:0'],
  ['one with an IPv4 at its end', '2001:db8:1:2::192.0.2.7', '2001:db8:1:2'],
  ['one of a link, with its zone', 'fe80::1%eth0', 'fe80:0:0:0'],
  ['this machine', '::1', '0:0:0:0'],
  ['nothing', '', 'unknown'],
  ['a connection that is gone', undefined, 'unknown'],
  ['a list', '192.0.2.7, 192.0.2.8', 'unknown'],
  ['too many numbers', '192.0.2.7.1', 'unknown'],
  ['words', 'unknown-12', 'unknown'],
])('a visitor is %s', (_name, address, group) => {
  expect(visitorNetwork(address)).toBe(group)
})

test.each([
  [-5000, 1, '1 s'],
  [1, 1, '1 s'],
  [1001, 2, '2 s'],
  [59_000, 59, '59 s'],
  [59_001, 60, '1 min'],
  [60_000, 60, '1 min'],
  [60_001, 120, '2 min'],
  [600_000, 600, '10 min'],
])('%d ms are said and sent as the same', (ms, retryAfter, words) => {
  expect(tooSoon(refusal('limit.attempts'), ms)).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message: `Too many attempts. Please try again in ${words}.`,
    retryAfter,
  })
})

test('keeps every wait of a visitor below some minutes', () => {
  for (const { burst, everySeconds } of Object.values(readConfig({}).limits.rates)) {
    expect(burst).toBeGreaterThanOrEqual(5)
    expect(everySeconds).toBeLessThanOrEqual(120)
  }
})

test('a bucket in memory refills, and one that is empty keeps the others full', () => {
  let now = 1000
  const buckets = createMemoryBuckets({ maxKeys: 10, clock: () => now })
  const [wide, narrow] = [2, 1].map((tokens) => ({ key: `${tokens}`, costMs: 10_000, capacityMs: tokens * 10_000 }))
  if (!wide || !narrow) throw new Error('no buckets')
  expect([buckets.take([wide, narrow]), buckets.take([wide, narrow])]).toEqual([null, { index: 1, waitMs: 10_000 }])
  expect([buckets.take([wide]), buckets.take([wide])]).toEqual([null, { index: 0, waitMs: 10_000 }])
  now += 10_000
  expect([buckets.take([wide, narrow]), buckets.take([wide])]).toEqual([null, { index: 0, waitMs: 10_000 }])
})
