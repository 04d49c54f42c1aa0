import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import type { Radio } from '#server/features/radio/createRadio.ts'
import { registerRadioStream } from '#server/features/radio/output/streamRoute.ts'
import type { RelayListener } from '#server/features/radio/types.ts'

let app: FastifyInstance
let socket: Socket
const leave = vi.fn()
const listeners: RelayListener[] = []

beforeEach(async () => {
  listeners.length = 0
  leave.mockClear()
  const radio = {
    listen: async (_stationId: number, listener: RelayListener) => {
      listener.begin('audio/mpeg')
      listeners.push(listener)
      return { type: 'audio/mpeg', leave }
    },
    stations: async () => ({ stations: [], available: true }),
  } as unknown as Radio
  app = Fastify({
    requestTimeout: 200,
    keepAliveTimeout: 100,
    http: { headersTimeout: 200, connectionsCheckingInterval: 50 },
  })
  registerRadioStream(app, { radio, config: readConfig({}) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /radio/1/stream HTTP/1.1\r\nHost: site\r\n\r\n')
  await soon(() => expect(listeners).toHaveLength(1))
})
afterEach(async () => {
  socket.destroy()
  await app.close()
})

const soon = (assertion: () => void) => vi.waitFor(assertion, 30_000)
const listener = () => {
  const one = listeners[0] as RelayListener
  return { ...one, write: (bytes: Buffer) => one.write(bytes, null) }
}
/** Writes more than the kernel's socket buffers hold. */
const fill = () => {
  for (let number = 0; number < 64; number++) listener().write(Buffer.alloc(256 * 1024))
}

test('counts unsent bytes and frees them when the listener is dropped', async () => {
  expect(listener().bufferedBytes()).toBe(0)
  fill()
  expect(listener().bufferedBytes()).toBeGreaterThan(4 * 1024 * 1024)
  listener().drop()
  socket.resume()
  await soon(() => expect(leave).toHaveBeenCalledTimes(1))
  listener().write(Buffer.alloc(10))
  expect(listener().bufferedBytes()).toBe(0)
})

test('resets the connection of a dropped listener, so that the kernel discards its send buffer', async () => {
  let received = 0
  let errorCode = ''
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    errorCode = code ?? ''
  })
  listener().write(Buffer.alloc(10_000))
  // Waits for all bytes: if libuv reads the last bytes and the reset in one step, it does not report ECONNRESET.
  await soon(() => expect(received).toBeGreaterThan(10_000))
  listener().drop()
  await soon(() => expect(errorCode).toBe('ECONNRESET'))
})

test('removes a client that disconnects and ignores later writes', async () => {
  listener().write(Buffer.alloc(1000))
  socket.destroy()
  listener().write(Buffer.alloc(1000))
  await soon(() => expect(leave).toHaveBeenCalledTimes(1))
  listener().write(Buffer.alloc(1000))
  listener().end()
})

test('disconnects a client that half-closes its connection', async () => {
  listener().write(Buffer.alloc(1000))
  socket.resume()
  socket.end()
  await soon(() => {
    listener().write(Buffer.alloc(1000))
    expect(leave).toHaveBeenCalledTimes(1)
  })
})

test('counts unsent bytes of a client that half-closes and stops reading', async () => {
  fill()
  socket.end()
  const before = listener().bufferedBytes()
  const timer = setInterval(() => listener().write(Buffer.alloc(1000)), 10)
  await soon(() => expect(listener().bufferedBytes()).toBeGreaterThan(before + 10_000))
  clearInterval(timer)
  listener().drop()
  await soon(() => expect(leave).toHaveBeenCalledTimes(1))
})

test('ends cleanly after the last byte', async () => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  listener().write(Buffer.from('first'))
  listener().write(Buffer.from('last'))
  listener().end()
  await soon(() => expect(socket.readableEnded).toBe(true))
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\nfirstlast$/s)
  await soon(() => expect(leave).toHaveBeenCalledTimes(1))
})

test('does not wait for a client that stops reading before the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    fill()
    listener().end()
    await vi.advanceTimersByTimeAsync(4900)
    expect(leave).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(200)
  } finally {
    vi.useRealTimers()
  }
  await soon(() => expect(leave).toHaveBeenCalledTimes(1))
})

test('is not cut by request and idle timeouts of the server', async () => {
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  const start = performance.now()
  const timer = setInterval(() => listener().write(Buffer.alloc(100)), 400)
  await expect.poll(() => received.split('\r\n\r\n')[1]?.length, { timeout: 5000 }).toBe(300)
  clearInterval(timer)
  expect(performance.now() - start).toBeGreaterThan(1000)
  expect(socket.readableEnded).toBe(false)
  expect(leave).not.toHaveBeenCalled()
})
