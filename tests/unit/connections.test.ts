import { once } from 'node:events'
import { type AddressInfo, connect, Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { CONNECTION_LIMITS, registerConnectionLimits } from '#server/plugins/protection/connectionLimits.ts'

let app: FastifyInstance
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app.close()
})

async function serve(
  bounds: Partial<typeof CONNECTION_LIMITS>,
  isBounded: (address: string) => boolean,
): Promise<void> {
  app = Fastify({ keepAliveTimeout: 60_000 })
  registerConnectionLimits(app, { ...CONNECTION_LIMITS, ...bounds }, isBounded)
  app.get('/', async () => 'here')
  await app.listen({ host: '127.0.0.1', port: 0 })
}

/** Returns whether a new connection is accepted and answered. */
async function isAnswered(): Promise<boolean> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

test('limits the connections of an address, and accepts a new one after one closes', async () => {
  await serve({ connectionsPerAddress: 3 }, () => true)
  expect(await Promise.all([isAnswered(), isAnswered(), isAnswered()])).toEqual([true, true, true])
  expect(await isAnswered()).toBe(false)
  sockets[0]?.destroy()
  await expect.poll(isAnswered).toBe(true)
})

test('limits a /56 to twice the connections of a /64', async () => {
  await serve({ connectionsPerAddress: 2 }, () => true)
  const isLetIn = (remoteAddress: string) => {
    const socket = Object.assign(new Socket(), { end: () => {} })
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
    sockets.push(socket)
    app.server.emit('connection', socket)
    return !socket.destroyed
  }
  const networks = [0, 0, 0, 1, 1, 2].map((network) => `2001:db8:0:${network}::1`)
  expect(networks.map(isLetIn)).toEqual([true, true, false, true, true, false])
})

test('proxies and private addresses may exceed the limit of an address', async () => {
  await serve({ connectionsPerAddress: 1 }, () => false)
  expect(await Promise.all([isAnswered(), isAnswered(), isAnswered()])).toEqual([true, true, true])
})

test('closes idle connections when there are too many', async () => {
  await serve({ connections: 4 }, () => false)
  expect(await Promise.all(Array.from({ length: 4 }, isAnswered))).toEqual([true, true, true, true])
  expect(await isAnswered()).toBe(false)
  await expect.poll(isAnswered).toBe(true)
})
