import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { type RawResponse, requestRaw } from '#tests/helpers/rawHttp.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { ADMIN, readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

let place: TestDatabase
let site: SiteProcess
let thread: { threads: string; threadId: number }
let board: string
let page: string

beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place)
  thread = await createBoardWithThread(site.origin, 'Memory')
  board = thread.threads.replace('/api/dtpchan/boards', '/dtpchan/board').replace(/\/threads$/, '')
  page = `${board}/thread/${thread.threadId}`
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  expect(site.output()).not.toMatch(/"level":(50|60)/)
  await place.cleanup()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  requestRaw(site.origin, 'GET', path, { lines: Object.entries(headers).map(([name, value]) => `${name}: ${value}`) })
/** Returns headers and body of a response without the request id and date, which always differ. */
const fromMemory = ({ headers: { 'x-request-id': _id, date: _date, ...headers }, body }: RawResponse) => ({
  headers,
  body,
})
const text = async (path: string) => (await get(path)).body.toString()
const comment = (content: string) => postForm(site.origin, `${thread.threads}/${thread.threadId}/comments`, { content })

test('serves a page in each encoding with a separate ETag, and answers 304 to clients that have it', async () => {
  const plain = await get(page)
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, no-cache',
    vary: 'accept-encoding, accept-language',
    'content-type': expect.stringContaining('text/html'),
    'content-length': String(plain.body.length),
  })
  const again = await get(page)
  expect(fromMemory(plain)).toEqual(fromMemory(again))
  expect(plain.headers['x-robots-tag']).toBeUndefined()
  const tags = [plain.headers.etag]
  for (const [encoding, unpack] of [['br', brotliDecompressSync] as const, ['gzip', gunzipSync] as const]) {
    const packed = await get(page, { 'accept-encoding': encoding })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(unpack(packed.body).equals(plain.body)).toBe(true)
    tags.push(packed.headers.etag)
    const known = await get(page, { 'accept-encoding': encoding, 'if-none-match': `W/"x", ${packed.headers.etag}` })
    expect(known).toMatchObject({
      status: 304,
      headers: { etag: packed.headers.etag, vary: 'accept-encoding, accept-language' },
    })
    expect(known.body).toHaveLength(0)
  }
  expect(new Set(tags).size).toBe(3)
  const head = await requestRaw(site.origin, 'HEAD', page)
  expect(head).toMatchObject({ status: 200, headers: { etag: plain.headers.etag } })
  expect(head.headers['content-length']).toBe(plain.headers['content-length'])
})

test('shows new and deleted content immediately on every page', async () => {
  const shown = async () => ({ home: await text('/'), board: await text(board), thread: await text(page) })
  await shown()
  const made = await postForm(site.origin, thread.threads, { title: 'Out of the oven', content: 'new' })
  expect(made.success).toBe(true)
  const before = await shown()
  expect(before.home).toContain('Out of the oven')
  expect(before.board).toContain('Out of the oven')
  for (let number = 1; number <= 5; number++) {
    const { comment: mine } = await comment(`own words ${number}`)
    const after = await shown()
    expect(after.thread).toContain(`own words ${number}`)
    expect(after.thread).toContain(`p${mine.id}`)
    expect(after.board).toContain(`own words ${number}`)
  }
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${site.origin}/api/dtpchan/admin/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ADMIN),
  })
  const { token } = await readJson(login)
  await fetch(`${site.origin}${thread.threads}/${made.thread.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await text(board)).not.toContain('Out of the oven')
  expect(await text('/')).not.toContain('Out of the oven')
  expect((await get(`${board}/thread/${made.thread.id}`)).status).toBe(410)
})

test('redirects other spellings of a URL', async () => {
  await get(page)
  for (const path of [page.replace('thread', '%74hread'), `${page}/`, `${page}/feed.atom/`]) {
    const { status, headers } = await get(path)
    expect([status, headers.location]).toEqual([301, path.replace('%74', 't').replace(/\/$/, '')])
    expect((await get(String(headers.location))).status).toBe(200)
  }
  expect((await get(page.replace('board', 'bo%61rd%2F'))).headers.location).toBeUndefined()
})

test('counts a cached response once, also the first of its encoding', async () => {
  const hits = async () => Number(/reads_total\{outcome="hit"\} (\d+)/.exec(await text('/metrics'))?.[1])
  await get('/about')
  const before = await hits()
  for (const encoding of ['br', 'br', 'gzip']) await get('/about', { 'accept-encoding': encoding })
  expect((await hits()) - before).toBe(3)
})

test('does not cache private pages, forms and missing pages', async () => {
  const { url } = await readJson(
    await fetch(`${site.origin}/api/paste`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'secret', expiryHours: 1 }),
    }),
  )
  for (const path of [new URL(url).pathname, '/nope', `${board}/thread/999999`, '/login', '/paste-service']) {
    const { headers } = await get(path)
    expect(headers.etag, path).toBeUndefined()
    expect(headers['cache-control'], path).toMatch(/^no-(cache|store)$/)
  }
})

test('applies the same rules to page data for client-side navigation', async () => {
  const path = `${page}/index.pageContext.json`
  const first = await get(path, { 'accept-encoding': 'br' })
  expect(first.headers).toMatchObject({ 'content-type': expect.stringContaining('json'), 'content-encoding': 'br' })
  expect(first.headers['x-robots-tag']).toBe('noindex')
  expect(fromMemory(await get(path, { 'accept-encoding': 'br' }))).toEqual(fromMemory(first))
  const known = await get(path, { 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) })
  expect(known.status).toBe(304)
  await comment('for the data too')
  expect(await text(path)).toContain('for the data too')
  const missing = await get(`${board}/thread/999999/index.pageContext.json`)
  expect(missing.headers.etag).toBeUndefined()
  expect(missing.headers['x-robots-tag']).toBe('noindex')
  expect(missing.body.toString()).toContain('Thread not found')
})
