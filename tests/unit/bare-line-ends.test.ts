import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { takeBareLineEnds } from '#server/features/radio/live/bareLineEnds.ts'

const HEAD = 'SOURCE /live HTTP/1.0\nHost: x\n\n'

const server = createServer()
const open = new Set<Socket>()
const taken: (string | undefined)[] = []
/** Like a limit of connections, from before and from after the start of the sources. */
const count = (socket: Socket) => {
  open.add(socket)
  socket.once('close', () => open.delete(socket))
}
server.on('connection', count)
takeBareLineEnds(server, ({ url }, socket) => {
  taken.push(url)
  socket.end('HTTP/1.0 401 Unauthorized\r\n\r\n')
})
server.on('connection', count)
server.listen(0, '127.0.0.1')
afterAll(() => server.close())

test.each([
  ['at once', [HEAD]],
  ['in two packets', [HEAD.slice(0, 30), HEAD.slice(30)]],
])('others notice the end of a refused source whose head comes %s', async (_how, packets) => {
  taken.length = 0
  const { port } = server.address() as AddressInfo
  const source = connect(port, '127.0.0.1').setNoDelay(true)
  for (const packet of packets) {
    source.write(packet)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await expect.poll(() => taken).toEqual(['/live'])
  source.resume().end()
  await expect.poll(() => open.size).toBe(0)
})
