import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import type { Radio } from '#server/features/radio/createRadio.ts'
import { registerRadioStream } from '#server/features/radio/output/streamRoute.ts'
import type { RelayListener } from '#server/features/radio/types.ts'
import { sendApiError } from '#server/plugins/api/rest.ts'

let app: FastifyInstance
const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await app.close()
})

async function start(env: Record<string, string>): Promise<void> {
  const radio = {
    listen: async (_stationId: number, { begin }: RelayListener) => {
      begin('audio/mpeg')
      return { type: 'audio/mpeg', leave: () => {} }
    },
    stations: async () => ({ stations: [], available: true }),
  } as unknown as Radio
  const config = readConfig({ RADIO_LISTENERS_PER_NETWORK: '2', ...env })
  app = Fastify({ trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false })
  app.setErrorHandler(sendApiError)
  registerRadioStream(app, { radio, config })
  await app.listen({ host: '127.0.0.1', port: 0 })
}

/** Opens the stream and returns the first received data. */
async function listen(address?: string): Promise<{ head: string; socket: Socket }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  open.push(socket)
  const forwarded = address ? `X-Forwarded-For: ${address}\r\n` : ''
  socket.write(`GET /radio/1/stream HTTP/1.1\r\nHost: site\r\n${forwarded}\r\n`)
  const head = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
  return { head, socket }
}

test('limits listeners per network and frees slots when they leave', async () => {
  await start({ TRUST_PROXY: '127.0.0.1' })
  const first = await listen('198.51.100.1')
  expect(first.head).toContain('200 OK')
  expect((await listen('198.51.100.1')).head).toContain('200 OK')
  const { head } = await listen('198.51.100.1')
  expect(head).toContain('429 Too Many Requests')
  expect(head.toLowerCase()).toContain('retry-after: 30')
  expect(head).toContain('"error":"Too many people on your network are listening already"')
  expect((await listen('198.51.100.2')).head).toContain('200 OK')
  first.socket.destroy()
  await expect.poll(async () => (await listen('198.51.100.1')).head).toContain('200 OK')
})

test('counts a direct client by its IP address', async () => {
  await start({})
  const heads = [await listen(), await listen(), await listen()].map(({ head }) => head.slice(9, 12))
  expect(heads).toEqual(['200', '200', '429'])
})

test.each([
  ['an unknown proxy', {}, '198.51.100.1'],
  ['RATE_LIMIT=off', { RATE_LIMIT: 'off' }, undefined],
])('counts no listeners behind %s', async (_name, env, address) => {
  await start(env)
  const heads = [await listen(address), await listen(address), await listen(address)].map(({ head }) =>
    head.slice(9, 12),
  )
  expect(heads).toEqual(['200', '200', '200'])
})
