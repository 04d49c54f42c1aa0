import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { type Nginx, startNginx } from '#tests/helpers/nginx.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const nginx = inject('nginx')
/** More than a second, so that a busy machine does not end it during a test. */
const SECONDS = 2
const LIFETIME = `public, max-age=0, s-maxage=${SECONDS}, stale-while-revalidate=${SECONDS}`
const ASK = 'public, no-cache'

let place: TestDatabase
let site: SiteProcess
let cache: Nginx
let page: string
let board: string
let comments: string

beforeAll(async () => {
  if (!nginx) return
  place = await testDatabase()
  site = await spawnSite(place, { CDN_MAX_AGE: String(SECONDS), TRUST_PROXY: '127.0.0.1' })
  cache = await startNginx(nginx, join(place.dataDir, 'nginx'), Number(new URL(site.origin).port))
  const made = await createBoardWithThread(cache.origin, 'Cached')
  page = made.path
  board = '/dtpchan/board/cached'
  comments = `${made.threads}/${made.threadId}/comments`
})
afterAll(async () => {
  if (!nginx) return
  await cache.stop()
  await site.stop()
  await place.cleanup()
})

/** The forms of browsers without script are sent by visitors with addresses of their own. */
let visitors = 0
const readPage = async (path: string) => (await fetch(`${cache.origin}${path}`)).text()
const hasWords = async (path: string, words: string) => (await readPage(path)).includes(words)

/** Sends a comment as a browser without script, which then follows the redirect. */
async function postWithoutScript(content: string) {
  const from = { 'x-forwarded-for': `192.0.2.${++visitors}` }
  const asked = await fetch(`${site.origin}/api/dtpchan/captcha`, { method: 'POST', headers: from })
  const { challengeId, question } = await readJson(asked)
  const body = toFormData({ author: 'plain', content, challengeId, captchaAnswer: String(solveQuestion(question)) })
  const headers = { accept: 'text/html', ...from }
  const answer = await fetch(`${site.origin}${comments}`, { method: 'POST', body, headers, redirect: 'manual' })
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}

test.skipIf(!nginx)('leads requests without TLS to the site', async () => {
  const { status, headers } = await fetch(`${cache.plainOrigin}/radio/schedule.ics?a=%20b`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([301, 'https://example.org/radio/schedule.ics?a=%20b'])
})

test.skipIf(!nginx)('lets a cache keep pages for some seconds, and nothing else', async () => {
  const control = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${site.origin}${path}`, init)).headers.get('cache-control')
  for (const path of ['/', page, board, '/dtpchan', `${board}/catalog`])
    expect([path, await control(path)]).toEqual([path, LIFETIME])
  // Open pages, client-side navigation and programs get the latest version.
  for (const path of [`${page}/index.pageContext.json`, `${board}/page.en.json`, `${page}/feed.atom`, '/boards.json'])
    expect([path, await control(path)]).toEqual([path, ASK])
  const { url, deleteUrl } = await readJson(
    await fetch(`${site.origin}/api/paste`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'a secret', expiryHours: 1 }),
    }),
  )
  const others = [
    ...[new URL(url).pathname, `${new URL(url).pathname}/raw`, new URL(deleteUrl).pathname],
    ...['/login', '/admin', '/account', '/search?q=text', `${board}/post`, '/no/such/page', `${board}/thread/999999`],
    ...['/api/dtpchan/boards', '/api/radio/nowplaying/1', '/readyz'],
  ]
  for (const path of others)
    expect([path, (await control(path)) ?? '']).toEqual([path, expect.not.stringMatching(/s-maxage|^public/)])
  const asked = await fetch(`${site.origin}${page}`)
  const etag = asked.headers.get('etag') ?? ''
  expect(await control(page, { headers: { 'if-none-match': etag } })).toBe(LIFETIME)
})

test.skipIf(!nginx)('passes on what programs ask about the versions of feeds and answers', async () => {
  for (const path of [`${page}/feed.atom`, `${board}/page.en.json`, '/boards.json', '/api/openapi.json']) {
    const { headers } = await fetch(`${cache.origin}${path}`)
    const again = await fetch(`${cache.origin}${path}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([path, again.status]).toEqual([path, 304])
  }
})

test.skipIf(!nginx)('authors without script see their posts at once, and others soon after', async () => {
  for (const words of ['first words', 'second words']) {
    await readPage(page)
    const location = await postWithoutScript(words)
    expect(location).toMatch(/\?wrote=\d+#p\d+$/)
    // The cache still has the page from before.
    expect(await hasWords(page, words)).toBe(false)
    const own = await fetch(`${cache.origin}${location}`)
    expect((await own.text()).includes(words)).toBe(true)
    expect(own.headers.get('cache-control')).toBe('private, no-cache')
    await expect.poll(() => hasWords(page, words), { interval: 50 }).toBe(true)
  }
})

test.skipIf(!nginx)('an old page gets the missing posts as events', async () => {
  const old = await readPage(page)
  const { comment } = await postForm(site.origin, comments, { content: 'after the page' })
  const stale = await readPage(page)
  expect([stale === old, stale.includes('after the page')]).toEqual([true, false])
  const [, lastEventId = ''] = /"lastEventId\\?":\\?"(\d+)/.exec(stale) ?? []
  const threadId = Number(page.split('/').at(-1))
  const connection = await openEventConnection(cache.origin, [`thread:${threadId}`], lastEventId)
  expect((await connection.next()).event.post?.view).toMatchObject({ id: comment.id })
  connection.close()
  // Its board asks for its data after the event, and gets the latest version.
  const data = await fetch(`${cache.origin}${board}/page.en.json`)
  expect((await data.text()).includes('after the page')).toBe(true)
})
