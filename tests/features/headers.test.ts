import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { encodeHead, type RawResponse, requestRaw, sendRaw } from '#tests/helpers/rawHttp.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { findHeaderErrors, type HeaderKind } from '#tests/helpers/securityHeaders.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const JSON_TYPE = 'Content-Type: application/json'
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=edge'

let place: TestDatabase
let site: SiteProcess
/** paths of the content that this file creates */
const at = { asset: '', worker: '', thread: '', threads: '', gone: '', upload: '', paste: '', share: '' }

beforeAll(async () => {
  place = await testDatabase()
  // The server sends HSTS only with an https URL. Other tests cover plain http.
  site = await spawnSite(place, { SITE_URL: 'https://dtp.example.org' })
  const assets = await readdir(fileURLToPath(new URL('../../dist/current/client/assets', import.meta.url)), {
    recursive: true,
  })
  at.asset = `/assets/${assets.find((name) => name.endsWith('.js') && !name.includes('worker'))}`
  at.worker = `/assets/${assets.find((name) => /worker.*\.js$/.test(name))}`
  const { threads, threadId } = await createBoardWithThread(site.origin, 'Doors')
  at.threads = threads
  at.thread = `/dtpchan/board/doors/thread/${threadId}`
  at.gone = '/dtpchan/board/doors/thread/999999'
  const image = new File([new Uint8Array(await stillImage(64, 48).png().toBuffer())], 'a.png', { type: 'image/png' })
  at.upload = (await postForm(site.origin, `${threads}/${threadId}/comments`, { content: 'x', image })).comment.image
  const headers = { 'content-type': 'application/json' }
  const paste = JSON.stringify({ content: 'secret', expiryHours: 1 })
  const made = await readJson(await fetch(`${site.origin}/api/paste`, { method: 'POST', headers, body: paste }))
  at.paste = new URL(made.url).pathname
  at.share = new URL((await postForm(site.origin, '/api/image-share', { image, expiryHours: '1' })).url).pathname
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  await place.cleanup()
})

type Way = () => Promise<RawResponse>
const get = (path: () => string, lines: string[] = []): Way => asking('GET', path, lines)
const asking =
  (method: string, path: () => string, lines: string[] = []): Way =>
  () =>
    requestRaw(site.origin, method, path(), { lines, untilHead: true })
const sending =
  (path: () => string, lines: string[], body: string | Buffer, method = 'POST'): Way =>
  () =>
    requestRaw(site.origin, method, path(), { lines, body: Buffer.from(body) })
/** Sends raw bytes and returns the first response. */
const raw =
  (...bytes: (string | Buffer)[]): Way =>
  async () => {
    const sent = bytes.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one))
    const [answer] = (await sendRaw(site.origin, sent, { halfClose: true })).responses
    if (!answer) throw new Error('No response')
    return answer
  }

const table: [name: string, way: Way, status: number, kind?: HeaderKind][] = [
  ['the first page', get(() => '/'), 200],
  ['a page a second time', get(() => '/'), 200],
  ['a page, compressed', get(() => '/', ['Accept-Encoding: gzip, br']), 200],
  ['a thread', get(() => at.thread), 200],
  ['the data of a page', get(() => `${at.thread}/index.pageContext.json`), 200],
  ['HEAD of a page', asking('HEAD', () => '/about'), 200],
  ['a missing page', get(() => '/nothing-here'), 404],
  ['a missing thread', get(() => at.gone), 404],
  ['a page with a trailing slash', get(() => '/about/'), 301],
  ['a page by another method', asking('POST', () => '/about', ['Content-Length: 0']), 404],
  ['a page of a paste', get(() => at.paste), 200, 'secret'],
  ['a page of a shared image', get(() => at.share), 200, 'secret'],
  ['a page of a missing paste', get(() => `${at.paste}x`), 404, 'secret'],
  ['a script', get(() => at.asset), 200, 'built'],
  ['a script, compressed', get(() => at.asset, ['Accept-Encoding: br']), 200, 'built'],
  ['a worker', get(() => at.worker), 200],
  ['a range of a script', get(() => at.asset, ['Range: bytes=0-9']), 206, 'built'],
  ['a missing script', get(() => '/assets/nothing.js'), 404],
  ['an asset outside the folder', get(() => '/assets/..%252f..%252fpackage.json'), 404],
  ['an unsatisfiable range of a script', get(() => at.asset, ['Range: bytes=99999999-']), 416],
  ['a script by another method', asking('POST', () => at.asset, ['Content-Length: 0']), 404],
  ['OPTIONS of the metrics', asking('OPTIONS', () => '/metrics'), 404],
  ['a file at the root', get(() => '/favicon.svg'), 200],
  ['an upload', get(() => at.upload), 200, 'embeddable files'],
  ['a range of an upload', get(() => at.upload, ['Range: bytes=0-9']), 206, 'embeddable files'],
  ['an unsatisfiable range of an upload', get(() => at.upload, ['Range: bytes=9999999-']), 416, 'embeddable files'],
  ['an unchanged upload', get(() => at.upload, ['If-None-Match: *']), 304, 'embeddable files'],
  ['HEAD of an upload', asking('HEAD', () => at.upload), 200, 'embeddable files'],
  ['a missing upload', get(() => '/dtpchan/uploads/nothing.png'), 404, 'files'],
  ['a raw paste', get(() => `${at.paste}/raw`), 200, 'secret files'],
  ['a call', get(() => '/api/dtpchan/boards'), 200, 'open'],
  ['HEAD of a call', asking('HEAD', () => '/api/dtpchan/boards'), 200, 'open'],
  ['OPTIONS of a call', asking('OPTIONS', () => '/api/dtpchan/boards', ['Origin: https://evil.example']), 404],
  ['a call by another method', asking('PATCH', () => '/api/dtpchan/boards', ['Content-Length: 0']), 404],
  ['a call from another site', get(() => '/api/dtpchan/boards', ['Origin: https://evil.example']), 200, 'open'],
  ['an unknown call', get(() => '/api/nothing'), 404],
  ['a call of a paste', get(() => `/api${at.paste}`), 200, 'open secret'],
  ['a refused call', sending(() => '/api/dtpchan/boards', [JSON_TYPE], '{}'), 401],
  ['invalid JSON', sending(() => at.threads, [JSON_TYPE], '{'), 400],
  ['a body of an unknown type', sending(() => at.threads, ['Content-Type: text/xml'], '<x/>'), 415],
  ['an invalid form', sending(() => at.threads, [FORM_TYPE], '--edge\r\n'), 400],
  [
    'a body too large, before it is read',
    raw(encodeHead('POST', '/api/dtpchan/captcha', [JSON_TYPE, 'Content-Length: 99999999'])),
    413,
  ],
  ['a typed call', get(() => '/trpc/board.list'), 200],
  ['an unknown typed call', get(() => '/trpc/nothing.there'), 404],
  [
    'changes as they come',
    get(() => '/trpc/site.events?input=%7B%22json%22%3A%7B%22topics%22%3A%5B%22boards%22%5D%7D%7D'),
    200,
  ],
  ['a stream', get(() => '/radio/1/stream'), 200, 'open'],
  ['HEAD of a stream', asking('HEAD', () => '/radio/1/stream'), 200, 'open'],
  ['a playlist', get(() => '/radio/1.m3u'), 200, 'open'],
  ['the status of the radio', get(() => '/status-json.xsl'), 200, 'open'],
  ['a missing stream', get(() => '/radio/9/stream'), 404],
  ['a missing recording', get(() => '/api/radio/station/1/streamer/1/broadcast/1/download'), 404, 'open'],
  ['missing cover art', get(() => '/api/radio/art/nothing'), 404, 'open'],
  ['a feed', get(() => '/dtpchan/board/doors/feed.atom'), 200, 'open'],
  ['a podcast', get(() => '/archive/podcast.xml'), 200, 'open'],
  ['a missing feed', get(() => '/dtpchan/board/nothing/feed.atom'), 404],
  ['the site map', get(() => '/sitemap.xml'), 200],
  ['a file of the site map', get(() => '/sitemap-pages.xml'), 200],
  ['robots.txt', get(() => '/robots.txt'), 200],
  ['the health check', get(() => '/healthz'), 200],
  ['a URL that cannot be decoded', get(() => '/%E0%A4%A'), 404],
  ['a path of the development server', get(() => '/%40fs/etc/passwd'), 404],
  ['a request without a path', get(() => '*'), 404],
  ['input that is not HTTP', raw('hello\r\n\r\n'), 400],
  ['a head too large', raw(encodeHead('GET', '/', [`X: ${'x'.repeat(20_000)}`])), 431],
  ['a URL too long', raw(encodeHead('GET', `/${'x'.repeat(20_000)}`)), 431],
  ['a truncated head', raw('GET / HTTP/1.1\r\nHost: '), 400],
  ['a missing Host', raw('GET /healthz HTTP/1.1\r\n\r\n'), 400],
  ['an unknown expectation', raw(encodeHead('GET', '/healthz', ['Expect: a miracle'])), 417],
  ['an HTTP/2 preface', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400],
]

describe('security headers', () => {
  test.each(table)('%s', async (_name, way, status, kind) => {
    const { headers, ...answer } = await way()
    expect([answer.status, findHeaderErrors(headers, kind, true)]).toEqual([status, []])
    // Without cache-control, a proxy could cache an error for a file that exists later.
    if (status >= 400) expect(headers['cache-control']).toMatch(/^no-(?:store|cache)$/)
  })

  test('a deleted thread', async () => {
    const { thread } = await postForm(site.origin, at.threads, { title: 'To go', content: 'text' })
    const body = JSON.stringify({ email: 'admin@example.org', password: 'administrator' })
    const login = await requestRaw(site.origin, 'POST', '/api/dtpchan/admin/login', {
      lines: [JSON_TYPE],
      body: Buffer.from(body),
    })
    const { token } = JSON.parse(login.body.toString())
    const path = `${at.threads}/${thread.id}`
    const gone = await requestRaw(site.origin, 'DELETE', path, { lines: [`Authorization: Bearer ${token}`] })
    expect([gone.status, findHeaderErrors(gone.headers, 'plain', true)]).toEqual([200, []])
    for (const one of ['', '/feed.atom']) {
      const answer = await requestRaw(site.origin, 'GET', `/dtpchan/board/doors/thread/${thread.id}${one}`)
      expect([answer.status, findHeaderErrors(answer.headers, 'plain', true)]).toEqual([410, []])
    }
  })
})

test('serves an upload inline under its stored name', async () => {
  const { headers } = await requestRaw(site.origin, 'GET', at.upload)
  expect(headers['content-disposition']).toBe(`inline; filename="${at.upload.split('/').at(-1)}"`)
})
