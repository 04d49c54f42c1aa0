import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createBodyBudget } from '#server/core/limits/memoryBudgets.ts'

const MiB = 1024 * 1024
const UNAVAILABLE = 'The service is not available right now. Please try again in a moment.'

const budget = createBodyBudget({ perNetwork: 48 * MiB, total: 192 * MiB })
const bytesInFlight = budget.bytes

/** Creates a request from an IP address. `end` closes the request. */
function request(ip: string) {
  const raw = Object.assign(new EventEmitter(), { closed: false })
  const reply = { raw } as unknown as FastifyReply
  const end = () => {
    raw.closed = true
    raw.emit('close')
  }
  return { hold: () => budget.reserve({ ip } as FastifyRequest, reply), end }
}

test('limits each address to its share', () => {
  const [one, more, other] = [request('2001:db8::1'), request('2001:db8::2'), request('203.0.113.5')]
  one.hold().take(40 * MiB)
  more.hold().take(8 * MiB)
  expect(() => more.hold().take(1)).toThrow(UNAVAILABLE)
  other.hold().take(40 * MiB)
  expect(bytesInFlight()).toBe(88 * MiB)
  one.end()
  more.hold().take(1)
  for (const each of [more, other]) each.end()
  expect(bytesInFlight()).toBe(0)
})

test('limits the /64s of a /56 to twice the share of one', () => {
  const requests = [0, 1, 2].map((index) => request(`2001:db8:0:${index}::1`))
  for (const each of requests.slice(0, 2)) each.hold().take(48 * MiB)
  expect(() => requests[2]?.hold().take(1)).toThrow(UNAVAILABLE)
  for (const each of requests) each.end()
  expect(bytesInFlight()).toBe(0)
})

test('limits all addresses together', () => {
  const all = Array.from({ length: 5 }, (_, index) => request(`203.0.113.${index}`))
  for (const each of all.slice(0, 4)) each.hold().take(48 * MiB)
  expect(() => all[4]?.hold().take(1)).toThrow(UNAVAILABLE)
  for (const each of all) each.end()
  expect(bytesInFlight()).toBe(0)
})

test('frees the bytes of requests that ended', () => {
  const { hold, end } = request('203.0.113.5')
  const holding = hold()
  end()
  expect(() => holding.take(1)).toThrow(UNAVAILABLE)
  const gone = request('203.0.113.5')
  gone.end()
  expect(() => gone.hold()).toThrow('The request could not be read')
  expect(bytesInFlight()).toBe(0)
})
