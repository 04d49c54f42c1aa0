import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createIcyDemuxer } from '#server/features/radio/output/relay/icy.ts'
import { framesOf } from '#tests/helpers/mp3.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const STREAM = 'https://site.example/radio/1/stream'
const SONG = { title: "Don't & <stop>", artist: 'Künstler', album: '', art: '' }

let service: RadioService
let site: TestSite
let origin: string
let time = Date.UTC(2026, 10, 1)

const get = (url: string) => site.app.inject({ url })
const playing = (song: typeof SONG) =>
  service.set('nowplaying', {
    json: {
      station: { id: 1 },
      listeners: { total: 3, unique: 2, current: 3 },
      live: { is_live: false, streamer_name: '' },
      now_playing: { played_at: 1_790_000_000, duration: 60, elapsed: 1, song },
      song_history: [],
      is_online: true,
    },
  })
const station = (id: number, name: string) => ({
  id,
  name,
  description: 'All night',
  listen_url: `${service.url}/listen/${id}/radio.mp3`,
  is_public: true,
})

beforeAll(async () => {
  service = await startRadioService({ sound: Buffer.concat(framesOf({ seconds: 60 })) })
  const env = { RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY, SITE_URL: 'https://site.example' }
  site = await startSite(env)
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
/** Cached answers of the service expire. */
beforeEach(() => {
  time += 60_000
  site.setNow(new Date(time))
})
afterEach(() => service.set('all', null))
afterAll(async () => {
  await site.close()
  await service.close()
})

describe('playlists', () => {
  test.each([
    ['m3u', 'audio/x-mpegurl; charset=utf-8', `#EXTM3U\n#EXTINF:-1,AzuraTest Radio\n${STREAM}\n`],
    [
      'pls',
      'audio/x-scpls; charset=utf-8',
      `[playlist]\nNumberOfEntries=1\nFile1=${STREAM}\nTitle1=AzuraTest Radio\nLength1=-1\nVersion=2\n`,
    ],
    [
      'xspf',
      'application/xspf+xml; charset=utf-8',
      `<?xml version="1.0" encoding="UTF-8"?>
<playlist version="1" xmlns="http://xspf.org/ns/0/">
<title>AzuraTest Radio</title>
<trackList><track><location>${STREAM}</location><title>AzuraTest Radio</title></track></trackList>
</playlist>
`,
    ],
  ])('serves .%s with the stream of the station', async (format, type, text) => {
    const { statusCode, headers, body } = await get(`/radio/1.${format}`)
    expect({ statusCode, body, type: headers['content-type'] }).toEqual({ statusCode: 200, body: text, type })
    expect(headers['content-disposition']).toBe(`inline; filename="radio-1.${format}"`)
  })

  test('paths of other servers lead to the stream, also while the service does not answer', async () => {
    const locations = async () =>
      Promise.all(['/live', '/stream', '/live.m3u'].map(async (path) => (await get(path)).headers.location))
    const first = ['/radio/1/stream', '/radio/1/stream', '/radio/1.m3u']
    expect(await locations()).toEqual(first)
    time += 60_000
    site.setNow(new Date(time))
    service.set('stations', 'broken')
    expect(await locations()).toEqual(first)
    expect((await get('/live')).statusCode).toBe(302)
  })

  test('keeps names of stations within their line and element', async () => {
    service.set('stations', { json: [station(1, 'A\nFile2=http://evil.example'), station(2, '<b>&')] })
    expect((await get('/radio/1.pls')).body.split('\n')[3]).toBe('Title1=A File2=http://evil.example')
    expect((await get('/radio/2.xspf')).body).toContain('<title>&lt;b&gt;&amp;</title>')
  })

  test('refuses other stations, and answers while the service is away', async () => {
    expect((await get('/radio/7.m3u')).statusCode).toBe(404)
    for (const url of ['/radio/0.m3u', '/radio/x.m3u', '/radio/1.mp3', '/radio/99999999999.pls']) {
      expect((await get(url)).statusCode, url).toBe(404)
    }
    time += 60_000
    site.setNow(new Date(time))
    service.set('stations', 'broken')
    expect((await get('/radio/1.m3u')).body).toBe(`#EXTM3U\n#EXTINF:-1,Station 1\n${STREAM}\n`)
  })
})

describe('/status-json.xsl', () => {
  test("shows one station as Icecast's source", async () => {
    playing(SONG)
    const { statusCode, headers, body } = await get('/status-json.xsl')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(JSON.parse(body)).toEqual({
      icestats: {
        host: 'site.example',
        source: {
          server_name: 'AzuraTest Radio',
          server_description: '',
          server_url: 'https://site.example',
          listenurl: STREAM,
          listeners: 3,
          listener_peak: 3,
          artist: SONG.artist,
          title: SONG.title,
          yp_currently_playing: `${SONG.artist} - ${SONG.title}`,
        },
      },
    })
  })

  test('lists several stations, and none while the service is away', async () => {
    service.set('stations', { json: [station(1, 'One'), station(2, 'Two')] })
    const { source } = (await get('/status-json.xsl')).json().icestats
    expect([source].flat()).toMatchObject([{ server_name: 'One' }])
    time += 60_000
    site.setNow(new Date(time))
    service.set('all', 'broken')
    expect((await get('/status-json.xsl')).json()).toEqual({ icestats: { host: 'site.example' } })
  })
})

describe('ICY metadata', () => {
  /** Listens like a player that asks for metadata, until it has seen a number of titles. */
  async function listen(titleCount: number) {
    const abort = new AbortController()
    const { headers, body } = await fetch(`${origin}/radio/1/stream`, {
      headers: { 'icy-metadata': '1' },
      signal: abort.signal,
    })
    const titles: string[] = []
    const demuxer = createIcyDemuxer(Number(headers.get('icy-metaint')), (title) => titles.push(title))
    const audio: Buffer[] = []
    for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
      audio.push(...demuxer.push(Buffer.from(bytes)))
      if (titles.length >= titleCount) break
    }
    abort.abort()
    return { headers, titles, audio: Buffer.concat(audio) }
  }

  test('is sent to players that ask for it, between the same frames', async () => {
    service.set('stations', { json: [station(1, 'Ätherwelle')] })
    service.title = 'Artist - Title'
    const { headers, titles, audio } = await listen(1)
    expect(titles).toEqual(['Artist - Title'])
    expect(Buffer.from(headers.get('icy-name') ?? '', 'latin1').toString()).toBe('Ätherwelle')
    expect(headers.get('icy-pub')).toBe('0')
    expect(audio.length).toBeGreaterThan(15_000)
    expect(audio.subarray(0, 2).toString('hex')).toMatch(/^fff[ab]/)
  })

  test('follows the titles of the stream', async () => {
    service.title = 'Artist - Title'
    setTimeout(() => {
      service.title = 'Artist - Next'
    }, 500)
    const { titles } = await listen(2)
    expect(titles).toEqual(['Artist - Title', 'Artist - Next'])
  })

  test('only the name is sent to others, and nothing to a player whose service is away', async () => {
    for (const method of ['GET', 'HEAD']) {
      const plain = await fetch(`${origin}/radio/1/stream`, { method })
      expect([...plain.headers.keys()].filter((name) => name.startsWith('icy-'))).toEqual(['icy-name', 'icy-pub'])
      await plain.body?.cancel()
    }
    service.set('all', 'broken')
    const { status } = await fetch(`${origin}/radio/77/stream`, { headers: { 'icy-metadata': '1' } })
    expect([404, 503]).toContain(status)
  })
})
