import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSourceForwarder } from '#server/features/radio/mix/processes/forwardSource.ts'
import type { Host } from '#server/features/radio/mix/processes/host.ts'
import { startPausedServer } from '#tests/helpers/pausedServer.ts'

const request = { method: 'SOURCE', url: '/live', httpVersion: '1.0', rawHeaders: [] } as unknown as IncomingMessage
const servers: Server[] = []
const sockets: Socket[] = []
let host: Host
/** connections that the host has accepted */
let accepted: Socket[]

async function listen(onConnection: (socket: Socket) => unknown): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Returns both ends of a source's connection. */
async function connectSource(): Promise<{ source: Socket; socket: Socket }> {
  const connections: Socket[] = []
  const source = connect(await listen((socket) => connections.push(socket)), '127.0.0.1').on('error', () => {})
  sockets.push(source)
  await expect.poll(() => connections.length).toBe(1)
  return { source, socket: connections[0] as Socket }
}

beforeEach(async () => {
  accepted = []
  const port = await listen((socket) => accepted.push(socket.resume()))
  host = { process: 'host', url: `http://127.0.0.1:${port}` }
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

test('disconnects the sources of a lost host, and no others', async () => {
  const forwarder = createSourceForwarder('Bearer token')
  const { source, socket } = await connectSource()
  expect(await forwarder.forward(request, socket, Buffer.alloc(0), host)).toBe(true)
  forwarder.disconnect({ ...host, process: 'other' })
  expect(socket.destroyed).toBe(false)
  forwarder.disconnect(host)
  source.resume()
  await once(source, 'close')
  await expect.poll(() => accepted[0]?.destroyed).toBe(true)
})

test('closes the connection to the host when the source has left', async () => {
  const forwarder = createSourceForwarder('Bearer token')
  const { socket } = await connectSource()
  socket.destroy()
  await once(socket, 'close')
  expect(await forwarder.forward(request, socket, Buffer.alloc(0), host)).toBe(true)
  await expect.poll(() => accepted[0]?.destroyed).toBe(true)
})

test('reaches a host although the first packet of the connection is lost', async () => {
  const paused = await startPausedServer()
  try {
    const { socket } = await connectSource()
    const forwarded = createSourceForwarder('Bearer token').forward(request, socket, Buffer.alloc(0), {
      process: 'host',
      url: paused.url,
    })
    setTimeout(paused.resume, 500)
    expect(await forwarded).toBe(true)
  } finally {
    paused.stop()
  }
})
