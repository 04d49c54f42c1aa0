import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { encodeHead, requestRaw } from '#tests/helpers/rawHttp.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const MiB = 1024 * 1024
const NO_ROOM = {
  success: false,
  error: 'Too many answers to your network have not been read yet. Please try again in a moment.',
}
/** JSON escapes each character with six bytes, so a response is larger than the system buffers of a connection. */
const CONTENT = '\u0001'.repeat(MiB)
const ANSWER = 6 * MiB

let site: TestSite
let origin: string
beforeAll(async () => {
  site = await startSite({ UNREAD_BYTES_PER_NETWORK: '13MiB' }, { connectionLimits: { idleMs: 3000 } })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
afterAll(() => site.close())

const sockets: Socket[] = []
const unread = () => site.app.services.responseBudget.bytes()
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(unread).toBe(0)
})

async function paste(json: object = {}): Promise<string> {
  const { body } = await callApi(site, 'POST', '/api/paste', {
    json: { content: CONTENT, expiryHours: 1, ...json },
  })
  return body.url.split('/').at(-1)
}

/** Sends a request on a new connection and reads nothing of the response. */
function askWithoutReading(path: string): Socket {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause()
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(encodeHead('GET', path))
  return socket
}

/** Leaves two responses unread, so that less than one MiB of the network's limit remains. */
async function fill(id: string): Promise<void> {
  for (let count = 0; count < 2; count++) askWithoutReading(`/api/paste/${id}`)
  await expect.poll(unread).toBeGreaterThan(2 * ANSWER)
}

describe('a network that does not read its answers', () => {
  test('gets large responses up to its share, and small ones beyond', async () => {
    const id = await paste()
    await fill(id)
    const input = encodeURIComponent(JSON.stringify({ json: { pasteId: id } }))
    for (const path of [`/paste/${id}/raw`, `/api/paste/${id}`, `/trpc/paste.peek?input=${input}`]) {
      const { status, headers, body } = await requestRaw(origin, 'GET', path)
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '5'])
      expect(headers['content-type']).toContain('application/json')
      if (!path.startsWith('/trpc')) expect(JSON.parse(body.toString())).toEqual(NO_ROOM)
    }
    expect((await requestRaw(origin, 'GET', '/healthz')).status).toBe(200)
  })

  test('does not burn a paste that was refused', async () => {
    const burning = await paste({ burnAfterReading: true })
    await fill(await paste())
    const read = () =>
      requestRaw(origin, 'POST', `/api/paste/${burning}/read`, {
        lines: ['Content-Type: application/json'],
        body: Buffer.from('{}'),
      })
    expect((await read()).status).toBe(503)
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(unread).toBe(0)
    expect((await read()).status).toBe(200)
    expect((await read()).status).toBe(404)
  })

  test('loses its connections and is served again afterwards', async () => {
    const id = await paste()
    await fill(id)
    await expect.poll(unread).toBe(0)
    expect((await requestRaw(origin, 'GET', `/paste/${id}/raw`)).body.length).toBe(MiB)
  })
})

test('keeps the connection of a slow reader', async () => {
  const id = await paste()
  const socket = askWithoutReading(`/api/paste/${id}`)
  let [length, ended] = [0, false]
  socket.on('close', () => {
    ended = true
  })
  socket.on('data', (piece: Buffer) => {
    length += piece.length
    // All pauses together last longer than a connection's idle timeout.
    socket.pause()
    setTimeout(() => socket.resume(), (6000 * piece.length) / ANSWER)
  })
  socket.resume()
  await expect.poll(() => [length > ANSWER, ended]).toEqual([true, false])
})

test('does not count responses that were read', async () => {
  const id = await paste()
  for (let count = 0; count < 30; count++) {
    const { status, body } = await requestRaw(origin, 'GET', `/paste/${id}/raw`)
    expect([status, body.length]).toEqual([200, MiB])
  }
})

test('sends all headers with calls of the page', async () => {
  const { status, headers, body } = await requestRaw(origin, 'GET', '/trpc/site.missing')
  expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
  expect(headers['content-length']).toBe(String(body.length))
})
