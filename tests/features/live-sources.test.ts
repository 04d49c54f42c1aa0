import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { broadcast, broadcastTrack, streamer } from '#db/schema/index.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { oggSound, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { basic, connectSource, createStreamer, type RawSource, until } from '#tests/helpers/liveSources.ts'
import { framesOf, marksIn } from '#tests/helpers/mp3.ts'
import { encodeHead, requestRaw, sendRaw } from '#tests/helpers/rawHttp.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

type Refused = { reason: string }

let site: TestSite
let origin: string
let port: number
let ann: string
const opened: RawSource[] = []

beforeAll(async () => {
  // Sources outlive the limits of other requests.
  const connectionLimits = { headMs: 3000, requestMs: 3000, idleMs: 6000, checkMs: 100 }
  site = await startSite({ LIVE_SOURCES: '4' }, { connectionLimits })
  port = await listen(site)
  origin = `http://127.0.0.1:${port}`
  ann = await createStreamer(site, 'ann')
  await createStreamer(site, 'bob')
  await createStreamer(site, 'eve')
})
afterEach(async () => {
  // Without the grace period of sources that drop.
  for (const { id } of live().sources()) live().disconnect(id)
  for (const source of opened.splice(0)) source.stop()
  await until(() => live().sources().length === 0 && live().onAir(1) === null)
})
afterAll(() => site.close())

async function listen({ app }: TestSite): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}
const live = () => site.app.services.live
const open = (options?: Parameters<typeof connectSource>[1]) => {
  const source = connectSource(port, options)
  opened.push(source)
  return source
}
const song = (seconds: number, track = 1) => framesOf({ seconds, track })
const isOnAir = (name: string) => live().onAir(1)?.streamer.name === name
const rows = () => site.app.services.db.select().from(broadcast).orderBy(asc(broadcast.id))
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** Listens to the station and returns the marks of the frames received so far. */
function tuneIn() {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  const state = { isEnded: false }
  socket.on('data', (bytes) => chunks.push(bytes))
  socket.on('error', () => {})
  socket.on('close', () => {
    state.isEnded = true
  })
  socket.write('GET /radio/1/stream HTTP/1.0\r\n\r\n')
  return {
    state,
    tracks: () => {
      const all = Buffer.concat(chunks)
      const body = all.subarray(all.indexOf('\r\n\r\n') + 4)
      return marksIn(body.subarray(0, lastFrameEnd(body)))
    },
    stop: () => socket.destroy(),
  }
}

function lastFrameEnd(body: Buffer): number {
  for (let at = 0; ; ) {
    const length = 417 + (((body[at + 2] ?? 0) >> 1) & 1)
    if (at + length > body.length) return at
    at += length
  }
}

describe('logins', () => {
  test.each([
    ['no password', ['SOURCE /live HTTP/1.0', ''], 401],
    ['a wrong password', ['SOURCE /live ICE/1.0', `Authorization: ${basic('nobody')}`], 401],
    ['hostile credentials', ['SOURCE /live HTTP/1.0', 'Authorization: Basic %%%\0'.replace('\0', '')], 401],
    ['another station', ['SOURCE /radio/2/source HTTP/1.0', `Authorization: ${basic('ann')}`], 404],
    ['a path that is no mount', ['SOURCE /a/b/c HTTP/1.0', `Authorization: ${basic('ann')}`], 404],
    ['video', ['SOURCE /live HTTP/1.0', `Authorization: ${basic('ann')}`, 'Content-Type: video/webm'], 415],
  ])('refuses %s', async (_name, lines, status) => {
    const source = connect(port, '127.0.0.1')
    let answer = ''
    source.on('data', (bytes) => {
      answer += bytes
    })
    source.on('error', () => {})
    // Sound that follows the head at once does not hide the answer.
    source.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), ...song(1)]))
    await until(() => /\n$/.test(answer))
    expect(answer).toMatch(new RegExp(`^HTTP/1.0 ${status} `))
    expect(answer.includes('WWW-Authenticate: Basic')).toBe(status === 401)
    source.destroy()
  })

  test('refuses a disabled streamer', async () => {
    const { db } = site.app.services
    await db.update(streamer).set({ disabled: true }).where(eq(streamer.userId, ann))
    const source = open()
    await until(() => source.answer().startsWith('HTTP/1.0 401'))
    await db.update(streamer).set({ disabled: false }).where(eq(streamer.userId, ann))
  })

  test('disconnects a streamer who was disabled after the password was checked', async () => {
    const { db, liveHost } = site.app.services
    const disable = (disabled: boolean) => db.update(streamer).set({ disabled }).where(eq(streamer.userId, ann))
    vi.spyOn(liveHost, 'find').mockImplementationOnce(async () => {
      await disable(true)
      return null
    })
    const source = open()
    source.socket.write(Buffer.concat(song(1)))
    await until(source.isClosed)
    expect([live().sources(), live().onAir(1)]).toEqual([[], null])
    await disable(false)
  })

  test('refuses sources where a radio service plays', async () => {
    const other = await startSite({ RADIO_URL: 'http://127.0.0.1:1' })
    const serviced = connectSource(await listen(other))
    await until(() => serviced.answer().includes('radio service'))
    expect(serviced.answer()).toMatch(/^HTTP\/1.0 403 /)
    await other.close()
  })

  test('many wrong passwords of a program hinder neither the right one nor logins to the site', async () => {
    const limited = await startSite({ RATE_LIMIT: 'on', RATE_LOGIN: '2/1m' })
    await createStreamer(limited, 'cid')
    const limitedPort = await listen(limited)
    const statuses: (string | undefined)[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      // butt repeats its attempts at once.
      const wrong = connectSource(limitedPort, { name: 'nobody' })
      await until(wrong.isClosed)
      statuses.push(wrong.answer().split(' ')[1])
    }
    expect(statuses).toEqual(['401', '401', '429', '429'])
    const right = connectSource(limitedPort, { name: 'cid' })
    await until(() => right.answer().startsWith('HTTP/1.0 200'))
    right.stop()
    const form = { email: 'cid@example.org', password: 'correct horse battery' }
    const login = await callApi(limited, 'POST', '/api/dtpchan/admin/login', { json: form })
    expect([login.status, login.body.success]).toEqual([200, true])
    const { body } = await callApi(limited, 'GET', '/api/radio/sources/refused', { token: login.body.token })
    expect(body.refused).toMatchObject([{ client: 'Test/1.0', reason: 'password', attempts: 4 }])

    // Admins see the programs of all networks, each once.
    limited.app.services.live.addRefused('another network', 'Test/1.0', 'password')
    const token = await limited.createToken('admin@example.org', 'admin')
    const all = (await callApi(limited, 'GET', '/api/radio/sources/refused', { token })).body
    expect(all.refused).toMatchObject([{ client: 'Test/1.0', reason: 'password', attempts: 5 }])
    await limited.close()
  })

  test('takes heads like those of DarkIce, however they are split into packets', async () => {
    const head = `SOURCE /live HTTP/1.0\nAuthorization: ${basic('ann')}\nContent-type: audio/mpeg\nice-public: 0\r\n\r\n`
    const bytes = Buffer.concat([Buffer.from(head, 'latin1'), ...song(0.5)])
    for (let at = 1; at <= head.length + 1; at += 3) {
      const source = connect(port, '127.0.0.1')
      let answer = ''
      source.on('data', (packet) => {
        answer += packet
      })
      source.setNoDelay(true)
      source.write(bytes.subarray(0, at))
      await sleep(5)
      source.write(bytes.subarray(at, at + 20))
      await sleep(5)
      source.write(bytes.subarray(at + 20))
      await until(() => isOnAir('ann')).catch(() => expect.fail(`Split at ${at}: ${answer}`))
      source.destroy()
      for (const { id } of live().sources()) live().disconnect(id)
      await until(() => live().sources().length === 0 && live().onAir(1) === null)
    }
  })

  test('answers broken heads like other requests', async () => {
    const huge = await sendRaw(origin, [`SOURCE /live HTTP/1.0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`])
    expect(huge.responses[0]?.status).toBe(431)
    // DarkIce writes such lines, but another request with them could smuggle a second one past a proxy.
    const [bare, page, open] = await Promise.all([
      sendRaw(origin, ['SOURCE /live HTTP/1.0\nAuthorization: Basic x\nice-name: y\r\n\r\n']),
      sendRaw(origin, ['GET / HTTP/1.1\nHost: localhost\n\n']),
      sendRaw(origin, ['SOURCE /live HTTP/1.0\nX: ']),
    ])
    expect([bare, page, open].map(({ responses }) => responses[0]?.status)).toEqual([401, 400, 408])
    const hugeLine = await sendRaw(origin, [`SOURCE /live HTTP/1.0\nX: ${'x'.repeat(20_000)}`])
    expect(hugeLine.responses[0]?.status).toBe(431)
    const nonsense = await sendRaw(origin, ['SOURCE\0/live HTTP/1.0\r\n\r\n'])
    expect(nonsense.responses[0]?.status).toBe(400)
    const slow = await sendRaw(origin, ['SOURCE /live HTTP/1.0\r\nX: '])
    expect([slow.responses[0]?.status, slow.ms > 2500]).toEqual([408, true])
    const question = await sendRaw(origin, [
      'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0, HTTP/1.1\r\n\r\n',
    ])
    expect(question.responses[0]?.headers.allow).toContain('SOURCE')
    // A call with the same method still reaches its route.
    expect(
      (await requestRaw(origin, 'PUT', '/api/programs/1', { lines: ['Content-Type: application/json'] })).status,
    ).toBe(401)
    const expecting = encodeHead('PUT', '/api/programs/1', [
      'Expect: 100-continue',
      'Content-Length: 2',
      'Connection: close',
    ])
    const { responses } = await sendRaw(origin, [expecting, '{}'])
    expect(responses.map(({ status }) => status)).toEqual([100, 401])
  })
})

describe('a source', () => {
  test('goes on air with SOURCE, is heard without a break, and ends', async () => {
    const listener = tuneIn()
    await until(() => listener.tracks().length > 100)
    const source = open()
    await until(() => source.answer() === 'HTTP/1.0 200 OK\r\n\r\n')
    const sent = song(4, 5)
    const played = source.play(sent)
    await until(() => isOnAir('ann'))
    expect(live().sources()).toMatchObject([
      { state: 'on-air', mount: '/live', client: 'Test/1.0', type: 'audio/mpeg' },
    ])
    expect((await requestRaw(origin, 'HEAD', '/radio/1/stream')).headers['content-type']).toBe('audio/mpeg')
    const { body } = await callApi(site, 'GET', '/api/radio/live/1')
    expect(body.live).toMatchObject({ streamer: 'ann', showId: null, threadId: null })
    await played
    source.stop()
    await until(() => listener.tracks().at(-1)?.track !== 5)
    await until(() =>
      listener
        .tracks()
        .slice(-20)
        .every(({ track }) => track !== 5),
    )
    const heard = listener.tracks().filter(({ track }) => track === 5)
    expect(heard.map(({ frame }) => frame)).toEqual(sent.map((_frame, index) => index))
    expect(listener.state.isEnded).toBe(false)
    listener.stop()
    // The broadcast stays open for the grace period, in which the music is heard.
    expect(isOnAir('ann')).toBe(true)
    const { song: playing, live: named } = await site.app.services.radio.nowPlaying(1)
    expect([playing.title, named]).toEqual(['Carrier Wave', { isLive: false, streamer: '', unheard: 'ann' }])
    const { source: shown } = (await callApi(site, 'GET', '/status-json.xsl')).body.icestats
    expect(shown).toMatchObject({ title: 'Carrier Wave', server_type: 'audio/mpeg' })
    expect((await rows()).at(-1)).toMatchObject({ streamerName: 'ann', endedAt: null, type: 'audio/mpeg' })
    await until(() => live().onAir(1) === null, 12_000)
    await until(async () => (await rows()).at(-1)?.endedAt !== null)
  })

  test('goes on air with PUT, in chunks, with early bytes and an expectation', async () => {
    const put = open({
      method: 'PUT',
      version: 'HTTP/1.1',
      lines: ['Expect: 100-continue', 'Transfer-Encoding: chunked'],
    })
    await until(() => put.answer() === 'HTTP/1.1 100 Continue\r\n\r\n')
    put.socket.write(Buffer.concat(song(0.5).map(chunk)))
    await until(() => isOnAir('ann'))
    put.socket.write('0\r\n\r\n')
    await until(() => put.answer().includes('HTTP/1.1 200 OK\r\n'))
    await until(put.isClosed)

    const early = connect(port, '127.0.0.1')
    early.on('error', () => {})
    const head = `PUT /radio/1/source HTTP/1.1\r\nHost: a\r\nAuthorization: ${basic('bob')}\r\nContent-Type: audio/mpeg\r\n\r\n`
    early.write(Buffer.concat([Buffer.from(head), ...song(1)]))
    await until(() => isOnAir('bob'))
    expect(live().sources()).toMatchObject([{ mount: '/radio/1/source', streamer: { name: 'bob' } }])
    early.destroy()
  })

  test('waits if it sends faster than real time', async () => {
    const source = open()
    let heard = 0
    const stop = live().observe({ onFrames: (_broadcast, frames) => (heard += frames.length) })
    source.socket.write(Buffer.concat(song(20)))
    await until(() => heard > 10)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(heard * (1152 / 44_100)).toBeLessThan(3)
    stop()
  })

  test.runIf(isDeep).each([
    ['SOURCE', []],
    ['PUT', ['Expect: 100-continue', 'Transfer-Encoding: chunked']],
  ])('ends soon after its program was killed, though it sent more with %s', async (method, lines) => {
    const source = open(method === 'PUT' ? { method, lines, version: 'HTTP/1.1' } : {})
    await until(() => source.answer() !== '')
    const sound = song(80)
    source.socket.write(Buffer.concat(method === 'PUT' ? sound.map(chunk) : sound))
    await until(() => isOnAir('ann') && source.socket.writableLength === 0)
    // Probes do not harm a program that waits.
    await sleep(2500)
    expect([source.isClosed(), isOnAir('ann')]).toEqual([false, true])
    source.stop()
    await until(() => live().sources().length === 0, 10_000)
  })

  test.each([
    ['garbage', Buffer.alloc(600 * 1024, 0x55), []],
    ['malformed chunks', Buffer.from('no size\r\n'), ['Transfer-Encoding: chunked']],
    ['an endless chunk line', Buffer.alloc(1000, 0x31), ['Transfer-Encoding: chunked']],
  ])('is disconnected when it sends %s', async (_name, bytes, lines) => {
    const source = open({ lines, method: 'PUT', version: 'HTTP/1.1' })
    await until(() => source.answer().includes(' 200 OK'))
    source.socket.write(bytes)
    await until(source.isClosed)
    expect(live().sources()).toEqual([])
  })

  test('is named to its streamer when it sends sound that the site cannot play', async () => {
    const source = open({ name: 'bob' })
    await until(() => source.answer().includes(' 200 OK'))
    source.socket.write(Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(600 * 1024, 0x55)]))
    await until(source.isClosed)
    const video = open({ name: 'bob', type: 'video/webm' })
    await until(video.isClosed)
    const refusedTo = async (name: string) => {
      const form = { email: `${name}@example.org`, password: 'correct horse battery' }
      const { token } = (await callApi(site, 'POST', '/api/dtpchan/admin/login', { json: form })).body
      return (await callApi(site, 'GET', '/api/radio/sources/refused', { token })).body.refused
    }
    const bySound = async (name: string) => (await refusedTo(name)).filter(({ reason }: Refused) => reason === 'sound')
    expect(await bySound('bob')).toMatchObject([{ client: 'Test/1.0', attempts: 2 }])
    expect(await bySound('ann')).not.toContainEqual(expect.objectContaining({ attempts: 2 }))
  })

  test('is refused beyond the maximum, and is replaced when its streamer connects again', async () => {
    const [first, tested] = [open(), open({ path: '/test' })]
    const all = [first, tested, open({ name: 'bob' }), open({ name: 'eve' })]
    await until(() => all.every((source) => source.answer().includes('200 OK')))
    const fifth = open({ name: 'eve', path: '/test' })
    await until(() => fifth.answer().startsWith('HTTP/1.0 503'))
    first.socket.write(Buffer.concat(song(0.5)))
    await until(() => live().sources().length === 1)
    tested.stop()
    let again = open()
    await until(() => {
      // The server notices the end of the test a moment later.
      if (again.answer().startsWith('HTTP/1.0 503')) again = open()
      return again.answer().includes('200 OK')
    })
    again.socket.write(Buffer.concat(song(0.5)))
    await until(first.isClosed)
    expect(live().sources()).toHaveLength(1)
    await until(async () => (await rows()).filter(({ endedAt }) => endedAt === null).length === 1)
  })
})

test('a level test never goes on air', async () => {
  const source = open({ path: '/test' })
  source.socket.write(Buffer.concat(song(0.5)))
  await until(() => live().sources().length === 1)
  expect(live().sources()).toMatchObject([{ state: 'testing' }])
  expect(live().onAir(1)).toBeNull()
})

test('titles arrive in any charset and are shown as playing', async () => {
  const metadata = (query: string, name = 'ann') =>
    requestRaw(origin, 'GET', `/admin/metadata?${query}`, { lines: [`Authorization: ${basic(name)}`] })
  expect(String((await metadata('mode=updinfo&song=x')).body)).toContain('Source does not exist')
  const source = open()
  void source.play(song(5))
  await until(() => isOnAir('ann'))
  const title = async () => {
    const { song, live, duration } = await site.app.services.radio.nowPlaying(1)
    return { artist: song.artist, title: song.title, duration, ...live }
  }
  expect(await title()).toEqual({ artist: '', title: 'ann', duration: 0, isLive: true, streamer: 'ann' })
  for (const [query, artist, name] of [
    ['mount=/live&mode=updinfo&song=R%C3%B6yksopp%20-%20Epl%C3%A9', 'Röyksopp', 'Eplé'],
    ['mode=updinfo&song=Bj%F6rk+-+J%F3ga', 'Björk', 'Jóga'],
    ['mode=updinfo&charset=windows-1251&artist=%CA%E8%ED%EE&title=%C3%F0%F3%EF%EF%E0', 'Кино', 'Группа'],
    ['mode=updinfo&song=Who?+-+Where?', 'Who?', 'Where?'],
    ['mode=updinfo&charset=nonsense&song=a%00b%0Ac%FF', '', 'a b cÿ'],
  ] as const) {
    const { status, headers, body } = await metadata(query)
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(String(body)).toContain('<message>Metadata update successful</message><return>1</return>')
    expect(await title()).toMatchObject({ artist, title: name })
  }
  const status = await callApi(site, 'GET', '/status-json.xsl')
  expect(status.body.icestats.source.title).toBe('a b cÿ')
  // A track without a name must not be shown as the one before.
  expect((await metadata('mode=updinfo&song=')).status).toBe(200)
  expect(await title()).toMatchObject({ artist: '', title: 'ann' })
  expect((await metadata('mode=updinfo')).status).toBe(400)
  expect((await metadata('mode=updinfo&song=x', 'nobody')).status).toBe(401)
})

test('the next track of a stream in Ogg does not keep the title of the one before', async () => {
  const comment = (tag: string) => `\x06\0\0\0vendor\x01\0\0\0${String.fromCharCode(tag.length)}\0\0\0${tag}\x01`
  const link = (serial: number, tag: string) =>
    Buffer.concat([...vorbisHead({ serial, comment: comment(tag) }), ...oggSound(4, { serial })])
  const titles = () =>
    live()
      .sources()
      .map(({ title }) => title)
  const source = open({ type: 'application/ogg' })
  source.socket.write(link(1, 'TITLE=Joga'))
  await until(() => titles()[0]?.title === 'Joga')
  source.socket.write(link(2, 'GENRE=Pop'))
  await until(() => titles()[0] === null)
  const { song } = await site.app.services.radio.nowPlaying(1)
  expect(song).toMatchObject({ artist: '', title: 'ann' })
})

test.each([
  ['UTF-8', Buffer.from("Sinéad O'Connor - It's (a; test)")],
  ['Latin-1', Buffer.from("Sinéad O'Connor - It's (a; test)", 'latin1')],
])('the raw %s bytes of a title of butt arrive', async (_charset, song) => {
  const source = open()
  void source.play(framesOf({ seconds: 5 }))
  await until(() => isOnAir('ann'))
  const head = Buffer.from('GET /admin/metadata?mode=updinfo&mount=/live&song=')
  const rest = Buffer.from(` HTTP/1.0\r\nUser-Agent: butt 0.1.37\r\nAuthorization: ${basic('ann')}\r\n\r\n`)
  const { responses } = await sendRaw(origin, [Buffer.concat([head, song, rest])])
  expect([responses[0]?.status, String(responses[0]?.body)]).toEqual([
    200,
    expect.stringContaining('<return>1</return>'),
  ])
  expect((await site.app.services.radio.nowPlaying(1)).song).toMatchObject({
    artist: "Sinéad O'Connor",
    title: "It's (a; test)",
  })
})

test('titles arrive in forms, as libshout sends them', async () => {
  const send = (fields: string, lines = [`Authorization: ${basic('ann')}`]) =>
    requestRaw(origin, 'POST', '/admin/metadata', {
      lines: ['Content-Type: application/x-www-form-urlencoded', ...lines],
      body: Buffer.from(fields, 'latin1'),
    })
  const title = () => live().sources()[0]?.title
  const source = open()
  void source.play(song(5))
  await until(() => isOnAir('ann'))
  const fields = 'mode=updinfo&mount=%2flive&charset=UTF%2d8&artist=%c3%84rtist&title=B%c3%a4renlied'
  expect((await send(fields, [])).status).toBe(401)
  expect(String((await send(fields)).body)).toContain('<return>1</return>')
  expect(title()).toEqual({ artist: 'Ärtist', title: 'Bärenlied' })
  expect((await send('mode=updinfo&song=Bj\xf6rk+-+J%F3ga?')).status).toBe(200)
  expect(title()).toEqual({ artist: 'Björk', title: 'Jóga?' })
  // GStreamer sends this for sound without tags.
  expect((await send('mode=updinfo&mount=/live&charset=UTF-8&song=Unknown%20-%20Unknown')).status).toBe(200)
  expect((await send('mode=updinfo&artist=Unknown&title=Unknown')).status).toBe(200)
  expect(title()).toEqual({ artist: 'Björk', title: 'Jóga?' })
  expect((await send('')).status).toBe(400)
  expect((await send(`mode=updinfo&song=${'x'.repeat(20_000)}`)).status).toBe(413)
})

test('streamers manage their own sources, and admins all of them', async () => {
  const admin = await site.createToken('admin@example.org', 'admin')
  const annToken = await site.createToken('ann@example.org')
  const bobToken = await site.createToken('bob@example.org')
  void open().play(song(20))
  await until(() => isOnAir('ann'))
  const second = open({ name: 'bob', path: '/stream.mp3' })
  void second.play(song(20, 2))
  await until(() => live().sources().length === 2)
  const sources = async (token: string) => (await callApi(site, 'GET', '/api/radio/sources', { token })).body.sources
  expect((await sources(admin)).map(({ state }: { state: string }) => state).sort()).toEqual(['on-air', 'standby'])
  const [own] = await sources(bobToken)
  expect(own).toMatchObject({ state: 'standby', streamer: { name: 'bob' }, mount: '/stream.mp3' })
  const takeOver = (token: string) => callApi(site, 'POST', `/api/radio/sources/${own.id}/takeover`, { token })
  expect((await takeOver(bobToken)).status).toBe(403)
  expect((await takeOver(admin)).status).toBe(200)
  await until(() => isOnAir('bob'))
  await until(async () => (await rows()).at(-1)?.isForced === true)
  const disconnect = (token: string) => callApi(site, 'DELETE', `/api/radio/sources/${own.id}`, { token })
  expect((await disconnect(annToken)).status).toBe(404)
  expect((await disconnect(bobToken)).status).toBe(200)
  await until(() => isOnAir('ann') && second.isClosed())
  const metrics = await site.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
  expect(metrics.body).toContain('site_live_sources{state="on-air"} 1')
})

test('a broadcast goes on after a restart', async () => {
  const { db } = site.app.services
  const startedAt = new Date(Date.now() - 60_000)
  const aliveAt = new Date(Date.now() - 5000)
  const row = { stationId: 1, streamerName: 'ann', type: 'audio/mpeg', startedAt, aliveAt, seconds: 40 }
  const ids = await db
    .insert(broadcast)
    .values([{ ...row, userId: ann }, row])
    .returning({ id: broadcast.id })
  await db.insert(broadcastTrack).values([
    { broadcastId: ids[0]?.id ?? 0, seconds: 10, artist: 'A', title: 'One' },
    { broadcastId: ids[0]?.id ?? 0, seconds: 30, artist: 'B', title: 'Two' },
  ])
  live().recover()
  const events: string[] = []
  const log = (name: string) => (info: { broadcastId: number }) => void events.push(`${name} ${info.broadcastId}`)
  const stop = live().observe({ onStart: log('start'), onResume: log('resume') })
  const source = open()
  source.socket.write(Buffer.concat(song(0.5)))
  await until(() => isOnAir('ann'))
  expect(events).toEqual([`start ${ids[0]?.id}`, `resume ${ids[0]?.id}`])
  expect(live().onAir(1)?.startedAt).toEqual(startedAt)
  expect(live().playing()).toMatchObject({
    title: { artist: 'B', title: 'Two' },
    since: new Date(aliveAt.getTime() - 10_000),
    history: [{ title: { artist: 'A', title: 'One' }, at: new Date(aliveAt.getTime() - 30_000) }],
  })
  const other = (await rows()).find(({ id }) => id === ids[1]?.id)
  expect(other?.endedAt).toEqual(aliveAt)
  stop()
})

test.runIf(isDeep)('twenty handovers do not interrupt the listeners, and each is a broadcast', async () => {
  const listeners = [tuneIn(), tuneIn(), tuneIn()]
  await until(() => listeners.every((listener) => listener.tracks().length > 100))
  const before = (await rows()).length
  const startFrames = 5
  const tracks = Array.from({ length: 21 }, (_, index) => 20 + index)
  let previous: RawSource | null = null
  for (const track of tracks) {
    const name = track % 2 ? 'bob' : 'ann'
    const source = open({ name })
    const frames = song(0.4, track)
    // While it stands by, its sound is not heard.
    source.socket.write(Buffer.concat(frames.slice(0, startFrames)))
    await until(() =>
      live()
        .sources()
        .some(({ streamer }) => streamer.name === name),
    )
    previous?.socket.end()
    await until(() => isOnAir(name))
    await source.play(frames.slice(startFrames))
    previous = source
  }
  const perTrack = song(0.4).length - startFrames
  const heardOf = (listener: ReturnType<typeof tuneIn>) =>
    listener.tracks().filter(({ track, frame }) => track > 20 || (track === 20 && frame >= startFrames))
  await until(() => listeners.every((listener) => heardOf(listener).length >= perTrack * tracks.length))
  for (const listener of listeners) {
    const expected = tracks.flatMap((track) =>
      Array.from({ length: perTrack }, (_, index) => ({ track, frame: startFrames + index })),
    )
    expect(heardOf(listener)).toEqual(expected)
    const first = listener.tracks().findIndex(({ track }) => track >= 20)
    // No music is heard between two sources.
    expect(
      listener
        .tracks()
        .slice(first, first + expected.length)
        .every(({ track }) => track >= 20),
    ).toBe(true)
    expect(listener.state.isEnded).toBe(false)
    listener.stop()
  }
  await until(async () => (await rows()).filter(({ endedAt }) => endedAt === null).length === 1)
  const names = (await rows()).slice(before).map(({ streamerName }) => streamerName)
  expect(names).toEqual(tracks.map((track) => (track % 2 ? 'bob' : 'ann')))
})
