import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createMemoryBudget } from '#server/core/limits/networkBudget.ts'

const MiB = 1024 * 1024
const UNAVAILABLE = 'The service is not available right now. Please try again in a moment.'

const budget = createMemoryBudget({ perNetwork: 48 * MiB, total: 192 * MiB })
const bytesInFlight = budget.bytes

/** Creates a request from an IP address. `end` closes the request. */
function request(ip: string) {
  const response = Object.assign(new EventEmitter(), { closed: false })
  const raw = {} as IncomingMessage
  const open = () => budget.open(raw, response as unknown as ServerResponse)
  open()
  const end = () => {
    response.closed = true
    response.emit('close')
  }
  return { take: (bytes: number) => budget.take({ ip, raw }, bytes), end, open }
}

test('limits each address to its share', () => {
  const [one, more, other] = [request('2001:db8::1'), request('2001:db8::2'), request('203.0.113.5')]
  one.take(40 * MiB)
  more.take(8 * MiB)
  expect(() => more.take(1)).toThrow(UNAVAILABLE)
  other.take(40 * MiB)
  expect(bytesInFlight()).toBe(88 * MiB)
  one.end()
  more.take(1)
  for (const each of [more, other]) each.end()
  expect(bytesInFlight()).toBe(0)
})

test('limits the /64s of a /56 to twice the share of one', () => {
  const requests = [0, 1, 2].map((index) => request(`2001:db8:0:${index}::1`))
  for (const each of requests.slice(0, 2)) each.take(48 * MiB)
  expect(() => requests[2]?.take(1)).toThrow(UNAVAILABLE)
  for (const each of requests) each.end()
  expect(bytesInFlight()).toBe(0)
})

test('limits all addresses together', () => {
  const all = Array.from({ length: 5 }, (_, index) => request(`203.0.113.${index}`))
  for (const each of all.slice(0, 4)) each.take(48 * MiB)
  expect(() => all[4]?.take(1)).toThrow(UNAVAILABLE)
  for (const each of all) each.end()
  expect(bytesInFlight()).toBe(0)
})

test('frees the bytes of requests that ended', () => {
  const { take, end, open } = request('203.0.113.5')
  take(1)
  end()
  expect(bytesInFlight()).toBe(0)
  expect(() => take(1)).toThrow(UNAVAILABLE)
  open()
  expect(() => take(1)).toThrow(UNAVAILABLE)
  expect(bytesInFlight()).toBe(0)
})
