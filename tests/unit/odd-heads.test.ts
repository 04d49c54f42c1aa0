import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { acceptSources } from '#server/features/radio/input/oddHeads.ts'

const HEAD = 'SOURCE /live HTTP/1.0\nHost: x\n\n'

const server = createServer()
const connected = new Set<Socket>()
const taken: (string | undefined)[] = []
/** Like a limit of connections, from before and from after the start of the sources. */
const count = (socket: Socket) => {
  connected.add(socket)
  socket.once('close', () => connected.delete(socket))
}
server.on('connection', count)
const closeWaiting = acceptSources(
  server,
  ({ method }) => method === 'SOURCE',
  ({ url }, socket) => {
    taken.push(url)
    socket.end('HTTP/1.0 401 Unauthorized\r\n\r\n')
  },
)
server.on('connection', count)
server.on('request', ({ url }, response) => response.end(url))
server.listen(0, '127.0.0.1')
afterAll(() => server.close())

const open = () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true)
  const state = { socket, answer: '', isClosed: false }
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    state.answer += bytes
  })
  socket.on('close', () => {
    state.isClosed = true
  })
  return state
}

test.each([
  ['at once', [HEAD]],
  ['in two packets', [HEAD.slice(0, 30), HEAD.slice(30)]],
])('others notice the end of a refused source whose head comes %s', async (_how, packets) => {
  taken.length = 0
  const { socket: source } = open()
  for (const packet of packets) {
    source.write(packet)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await expect.poll(() => taken).toEqual(['/live'])
  source.end()
  await expect.poll(() => connected.size).toBe(0)
})

test('other requests pass, however they are split, also several of a connection', async () => {
  const two = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  for (const at of [1, 4, 5, 6, 30]) {
    const client = open()
    client.socket.write(two.slice(0, at))
    await new Promise((resolve) => setTimeout(resolve, 10))
    client.socket.write(two.slice(at))
    await expect.poll(() => client.isClosed).toBe(true)
    expect(client.answer.match(/\/[ab]/g)).toEqual(['/a', '/b'])
  }
})

test('sends raw bytes of a title to the server in a form that it reads, and refuses them elsewhere', async () => {
  const ask = async (target: string) => {
    const client = open()
    client.socket.write(Buffer.from(`GET ${target} HTTP/1.0\r\n\r\n`, 'latin1'))
    await expect.poll(() => client.isClosed).toBe(true)
    return client.answer.split('\r\n\r\n')[1]
  }
  expect(await ask("/admin/metadata?song=a\xe9 b(;')")).toBe("/admin/metadata?song=a%e9%20b(;')")
  expect(await ask('/page?song=a\xe9')).toBe('')
})

test('closes connections without a request when the site closes', async () => {
  const client = open()
  await expect.poll(() => connected.size).toBe(1)
  closeWaiting()
  await expect.poll(() => client.isClosed).toBe(true)
})
