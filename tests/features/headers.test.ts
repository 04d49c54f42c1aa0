import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { stillImage } from '#tests/helpers/pictures.ts'
import { createBoardWithThread, postForm, readJson, type SiteProcess, spawnSite } from '#tests/helpers/process.ts'
import { findHeaderErrors, type HeaderKind } from '#tests/helpers/securityHeaders.ts'
import { encodeHead, type RawResponse, requestRaw, sendRaw } from '#tests/helpers/wire.ts'

const JSON_TYPE = 'Content-Type: application/json'
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=edge'

let place: TestDatabase
let site: SiteProcess
/** addresses of what was made */
const at = { asset: '', thread: '', threads: '', gone: '', upload: '', paste: '', share: '' }

beforeAll(async () => {
  place = await testDatabase()
  // Behind https; that others are not told to stay there is seen where the refusals of plain sites are.
  site = await spawnSite(place, { SITE_URL: 'https://dtp.example.org' })
  const assets = await readdir(fileURLToPath(new URL('../../dist/current/client/assets', import.meta.url)), {
    recursive: true,
  })
  at.asset = `/assets/${assets.find((name) => name.endsWith('.js'))}`
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
}, 60_000)
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
/** Bytes as they are; the first answer. */
const raw =
  (...bytes: (string | Buffer)[]): Way =>
  async () => {
    const sent = bytes.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one))
    const [answer] = (await sendRaw(site.origin, sent, { halfClose: true })).responses
    if (!answer) throw new Error('nothing came')
    return answer
  }

const table: [name: string, way: Way, status: number, kind?: HeaderKind][] = [
  ['the first page', get(() => '/'), 200],
  ['a page a second time', get(() => '/'), 200],
  ['a page, compressed', get(() => '/', ['Accept-Encoding: gzip, br']), 200],
  ['a thread', get(() => at.thread), 200],
  ['the data of a page', get(() => `${at.thread}/index.pageContext.json`), 200],
  ['a page to HEAD', asking('HEAD', () => '/about'), 200],
  ['no page', get(() => '/nothing-here'), 404],
  ['no thread', get(() => at.gone), 404],
  ['a page with a slash too many', get(() => '/about/'), 301],
  ['a page by another method', asking('POST', () => '/about', ['Content-Length: 0']), 404],
  ['a page of a paste', get(() => at.paste), 200, 'secret'],
  ['a page of a shared image', get(() => at.share), 200, 'secret'],
  ['a page of no paste', get(() => `${at.paste}x`), 404, 'secret'],
  ['a script', get(() => at.asset), 200],
  ['a script, compressed', get(() => at.asset, ['Accept-Encoding: br']), 200],
  ['a part of a script', get(() => at.asset, ['Range: bytes=0-9']), 206],
  ['no script', get(() => '/assets/nothing.js'), 404],
  ['an asset beside the folder', get(() => '/assets/..%252f..%252fpackage.json'), 404],
  ['a part of a script out of reach', get(() => at.asset, ['Range: bytes=99999999-']), 416],
  ['a script by another method', asking('POST', () => at.asset, ['Content-Length: 0']), 404],
  ['the figures to OPTIONS', asking('OPTIONS', () => '/metrics'), 404],
  ['a file at the top', get(() => '/favicon.svg'), 200],
  ['an upload', get(() => at.upload), 200, 'files'],
  ['a part of an upload', get(() => at.upload, ['Range: bytes=0-9']), 206, 'files'],
  ['an upload out of reach', get(() => at.upload, ['Range: bytes=9999999-']), 416, 'files'],
  ['an upload known already', get(() => at.upload, ['If-None-Match: *']), 304, 'files'],
  ['an upload to HEAD', asking('HEAD', () => at.upload), 200, 'files'],
  ['no upload', get(() => '/dtpchan/uploads/nothing.png'), 404, 'files'],
  ['a paste as its bytes', get(() => `${at.paste}/raw`), 200, 'secret files'],
  ['a call', get(() => '/api/dtpchan/boards'), 200],
  ['a call to HEAD', asking('HEAD', () => '/api/dtpchan/boards'), 200],
  ['a call to OPTIONS', asking('OPTIONS', () => '/api/dtpchan/boards', ['Origin: https://evil.example']), 404],
  ['a call by another method', asking('PATCH', () => '/api/dtpchan/boards', ['Content-Length: 0']), 404],
  ['a call of another site', get(() => '/api/dtpchan/boards', ['Origin: https://evil.example']), 200],
  ['no call', get(() => '/api/nothing'), 404],
  ['a call of a paste', get(() => `/api${at.paste}`), 200, 'secret'],
  ['a refused call', sending(() => '/api/dtpchan/boards', [JSON_TYPE], '{}'), 401],
  ['no JSON', sending(() => at.threads, [JSON_TYPE], '{'), 400],
  ['a body of no known type', sending(() => at.threads, ['Content-Type: text/xml'], '<x/>'), 415],
  ['no form', sending(() => at.threads, [FORM_TYPE], '--edge\r\n'), 400],
  [
    'a body too large, before it is read',
    raw(encodeHead('POST', '/api/dtpchan/captcha', [JSON_TYPE, 'Content-Length: 99999999'])),
    413,
  ],
  [
    'a form too large, before it is read',
    asking('POST', () => '/api/image-share', [FORM_TYPE, 'Content-Length: 99999999']),
    413,
  ],
  ['a typed call', get(() => '/trpc/board.list'), 200],
  ['no typed call', get(() => '/trpc/nothing.there'), 404],
  [
    'changes as they come',
    get(() => '/trpc/site.live?input=%7B%22json%22%3A%7B%22topics%22%3A%5B%22boards%22%5D%7D%7D'),
    200,
  ],
  ['sound', get(() => '/radio/1/stream'), 200],
  ['sound to HEAD', asking('HEAD', () => '/radio/1/stream'), 200],
  ['no sound', get(() => '/radio/9/stream'), 404],
  ['no recording', get(() => '/api/radio/station/1/streamer/1/broadcast/1/download'), 404],
  ['no picture of a song', get(() => '/api/radio/art/nothing'), 404],
  ['a feed', get(() => '/dtpchan/board/doors/feed.atom'), 200],
  ['no feed', get(() => '/dtpchan/board/nothing/feed.atom'), 404],
  ['the site map', get(() => '/sitemap.xml'), 200],
  ['a file of the site map', get(() => '/sitemap-pages.xml'), 200],
  ['robots.txt', get(() => '/robots.txt'), 200],
  ['its health', get(() => '/healthz'), 200],
  ['an address that cannot be decoded', get(() => '/%E0%A4%A'), 404],
  ['what is for a development server', get(() => '/%40fs/etc/passwd'), 404],
  ['no path at all', get(() => '*'), 404],
  ['no HTTP', raw('hello\r\n\r\n'), 400],
  ['a head too large', raw(encodeHead('GET', '/', [`X: ${'x'.repeat(20_000)}`])), 431],
  ['an address too long', raw(encodeHead('GET', `/${'x'.repeat(20_000)}`)), 431],
  ['a head broken off', raw('GET / HTTP/1.1\r\nHost: '), 400],
  ['no Host', raw('GET /healthz HTTP/1.1\r\n\r\n'), 400],
  ['an expectation nobody can meet', raw(encodeHead('GET', '/healthz', ['Expect: a miracle'])), 417],
  ['the beginning of HTTP/2', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 400],
]

describe('every answer', () => {
  test.each(table)('%s', async (_name, way, status, kind) => {
    const { headers, ...answer } = await way()
    expect([answer.status, findHeaderErrors(headers, kind, true)]).toEqual([status, []])
    // A cache in front may keep what says nothing, and so no file after its first refusal would ever be there.
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

test('an upload is a picture to look at, under the name it has here', async () => {
  const { headers } = await requestRaw(site.origin, 'GET', at.upload)
  expect(headers['content-disposition']).toBe(`inline; filename="${at.upload.split('/').at(-1)}"`)
})
