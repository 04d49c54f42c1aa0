import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { framesOf, marksIn } from '#tests/helpers/mp3.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { requestRaw } from '#tests/helpers/rawHttp.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let service: RadioService
let site: TestSite
let port: number
const open: Socket[] = []

beforeAll(async () => {
  service = await startRadioService({ sound: Buffer.concat(framesOf({ seconds: 60 })) })
  site = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY, RADIO_MAX_LISTENERS: '20' })
  port = await listen(site)
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  service.set('all', null)
  await until(async () => (await connections(site)) === 0)
})
afterAll(async () => {
  await site.close()
  await service.close()
})

async function listen({ app }: TestSite): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}
const connections = ({ app }: TestSite) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 10))) {
    if (Date.now() > end) throw new Error(`never: ${isSo}`)
  }
}

/** Sends a raw request and records the response. */
function send(text: string, to = port) {
  const socket = connect(to, '127.0.0.1')
  open.push(socket)
  const chunks: Buffer[] = []
  const state = { ended: false, closed: false }
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('end', () => {
    state.ended = true
  })
  socket.on('close', () => {
    state.closed = true
  })
  socket.on('error', () => {})
  socket.write(text)
  const answer = () => {
    const all = Buffer.concat(chunks)
    const at = all.indexOf('\r\n\r\n')
    return { head: all.toString('latin1', 0, at).toLowerCase(), body: at < 0 ? Buffer.alloc(0) : all.subarray(at + 4) }
  }
  const frames = () => {
    const { body } = answer()
    // The data can end within a frame: cuts off bytes until only whole frames remain.
    for (let cut = 0; cut < 420; cut++) {
      try {
        return marksIn(body.subarray(0, body.length - cut)).map(({ frame }) => frame)
      } catch {
        // the last frame is still incomplete
      }
    }
    throw new Error('no whole frames')
  }
  return { socket, state, answer, frames, heard: (bytes: number) => until(() => answer().body.length >= bytes) }
}

const get = (path = '/radio/1/stream', lines: string[] = []) =>
  [`GET ${path} HTTP/1.1`, 'Host: site', ...lines, '', ''].join('\r\n')

test('sends whole frames from the first byte, with the expected headers', async () => {
  const one = send(get('/radio/1/stream', ['Range: bytes=0-']))
  await one.heard(50_000)
  const { head } = one.answer()
  expect(head).toMatch(/^http\/1.1 200 ok\r\n/)
  for (const line of [
    'content-type: audio/mpeg',
    'cache-control: no-store',
    'accept-ranges: none',
    'connection: close',
    'x-content-type-options: nosniff',
    'cross-origin-resource-policy: cross-origin',
    'referrer-policy: strict-origin-when-cross-origin',
  ]) {
    expect(head.split('\r\n')).toContain(line)
  }
  expect(head).toContain("content-security-policy: default-src 'none'")
  expect(head).not.toMatch(/\r\n(icy-metaint|transfer-encoding|content-length|content-range|set-cookie)/)
  const frames = one.frames()
  expect(frames.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((index) => index + (frames[0] ?? 0)))
  expect(frames.length).toBeGreaterThan(100)
})

test('shares one upstream among all listeners and serves HTTP/1.0 players', async () => {
  const all = [get(), get(), 'GET /radio/1/stream HTTP/1.0\r\n\r\n', get('/radio/1/stream/')].map((text) => send(text))
  for (const one of all) await one.heard(40_000)
  expect(service.listeners()).toBe(1)
  for (const one of all) {
    expect(one.answer().head).toMatch(/^http\/1.1 200/)
    expect(one.answer().head).not.toContain('transfer-encoding')
    expect(one.frames().length).toBeGreaterThan(90)
  }
})

test('answers HEAD without opening the stream', async () => {
  // Only the stream tells its type.
  await send(get()).heard(1000)
  const before = service.count('stream')
  const one = send('HEAD /radio/1/stream HTTP/1.1\r\nHost: site\r\n\r\n')
  await until(() => one.state.ended)
  expect(one.answer().head).toMatch(/^http\/1.1 200/)
  expect(one.answer().head).toContain('content-type: audio/mpeg')
  expect(one.answer().head).toContain('accept-ranges: none')
  expect(one.answer().body).toHaveLength(0)
  expect(service.count('stream')).toBe(before)
  const unknown = send('HEAD /radio/2/stream HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n')
  await until(() => unknown.state.ended)
  expect(unknown.answer().head).toMatch(/^http\/1.1 404/)
})

test.each(['2', '0', '01', '-1', '1e0', '1.0', 'abc', '%00', '%31x', '99999999999999999999', '__proto__'])(
  'rejects the station id %s',
  async (id) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await site.app.inject({ method, url: `/radio/${id}/stream` })
      expect(answer.statusCode).toBe(404)
      if (method === 'GET') expect(answer.json()).toEqual({ success: false, error: 'Station not found' })
    }
  },
)

test('resumes a broken stream in the same response, and ends it when the site closes', async () => {
  const other = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
  const one = send(get(), await listen(other))
  await one.heard(70_000)
  service.killStreams()
  await one.heard(140_000)
  expect(one.state.ended).toBe(false)
  one.frames()
  const closing = other.close()
  await until(() => one.state.ended)
  await closing
  one.frames()
})

test('refuses listeners over the limit; pipelined requests take no slot', async () => {
  const all = Array.from({ length: 19 }, (_, index) => send(index === 0 ? get() + get() + get() : get()))
  for (const one of all) await one.heard(10_000)
  const last = send(get())
  await last.heard(10_000)
  const refused = await requestRaw(`http://127.0.0.1:${port}`, 'GET', '/radio/1/stream')
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse(refused.body.toString())).toEqual({
    success: false,
    error: 'The radio is full right now',
  })
  last.socket.destroy()
  await until(async () => {
    const next = send(get())
    await until(() => next.answer().head !== '')
    return next.answer().head.startsWith('http/1.1 200')
  })
})

test('answers without delay while the service is down', async () => {
  const other = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
  const to = await listen(other)
  service.set('stream', 'html')
  for (const behaviour of ['html', 'broken', 'forbidden', 'death'] as const) {
    service.set('stream', behaviour)
    const answer = await fetch(`http://127.0.0.1:${to}/radio/1/stream`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await answer.json()).toEqual({ success: false, error: 'The radio isn’t responding' })
  }
  service.set('stream', null)
  // Retries, because the relay refuses requests for a second after a failure.
  await until(async () => {
    const one = send(get(), to)
    await until(() => one.answer().head !== '')
    return one.answer().head.startsWith('http/1.1 200')
  })
  await other.close()
})
