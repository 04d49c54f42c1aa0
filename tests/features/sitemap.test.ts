import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { article, feed, thread } from '#db/schema/index.ts'
import type { Head } from '#pages/head.ts'
import { createPageCache } from '#server/core/cache/pageCache.ts'
import { registerSearchEngineRoutes } from '#server/features/site/searchEngines.ts'
import { sendApiError } from '#server/plugins/api/rest.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { listFixedPages } from '#tests/helpers/fixedPages.ts'
import { withQueryLog } from '#tests/helpers/queryPlans.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { childText, findAll, parseXml } from '#tests/helpers/xml.ts'

const ORIGIN = 'https://dtp.example.org'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite({ SITE_URL: ORIGIN })
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

async function read(url: string, app: Pick<FastifyInstance, 'inject'> = site.app) {
  const answer = await app.inject({ method: 'GET', url })
  expect([url, answer.statusCode, answer.body.slice(0, 100)]).toEqual([url, 200, expect.any(String)])
  expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
  const root = parseXml(answer.body)
  expect(root.attributes).toEqual({ xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' })
  const kind = root.name === 'sitemapindex' ? 'sitemap' : 'url'
  expect(root.children.every(({ name }) => name === kind)).toBe(true)
  return findAll(root, kind).map((one) => ({ loc: childText(one, 'loc'), lastmod: childText(one, 'lastmod') }))
}

/** Starts only the sitemap plugin. `size` is the number of threads per file. */
function mapAlone(size = 50_000, db = site.app.services.db, pageCache = false): FastifyInstance {
  const app = Fastify()
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))
  const { config, ...services } = site.app.services
  const cache = createPageCache({ bytes: 10_000_000 })
  registerSearchEngineRoutes(app, { ...services, config: { ...config, pageCache }, cache, db }, size)
  return app
}

const FILES = ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-threads-1.xml']
const path = (url: string) => url.slice(ORIGIN.length)
const paths = async (url: string) => (await read(url)).map(({ loc }) => path(loc))

test('lists the fixed pages of an empty site', async () => {
  expect(await read('/sitemap.xml')).toEqual([{ loc: `${ORIGIN}/sitemap-pages.xml`, lastmod: '' }])
  const pages = await read('/sitemap-pages.xml')
  const indexed: string[] = []
  for (const { path, folder } of listFixedPages()) {
    const { default: head } = (await import(join(folder, '+head.ts'))) as { default: Head }
    if (!head.noindex) indexed.push(path)
  }
  expect(pages.map(({ loc }) => path(loc)).toSorted()).toEqual(indexed.toSorted())
  expect(pages.every(({ loc, lastmod }) => loc.startsWith(`${ORIGIN}/`) && lastmod === '')).toBe(true)
  expect(pages.some(({ loc }) => /paste\/|image-share|login|api\/|\?/.test(loc))).toBe(false)
  expect((await site.app.inject('/sitemap-threads-1.xml')).statusCode).toBe(404)
})

test('lists boards with their last activity and threads with their last change, until they are deleted', async () => {
  site.setNow(new Date('2026-05-01T10:00:00.000Z'))
  const [busy, quiet, doomed] = await Promise.all(
    ['busy', 'quiet', 'doomed'].map((name) => createBoard(site, name, admin)),
  )
  const id = (await postThread(site, busy ?? '')).body.thread.id
  const deleted = (await postThread(site, busy ?? '')).body.thread.id
  const lost = (await postThread(site, doomed ?? '')).body.thread.id
  site.setNow(new Date('2026-05-02T10:00:00.000Z'))
  await postComment(site, { boardId: 'busy', threadId: id })
  const spam = (await postComment(site, { boardId: 'busy', threadId: id })).body.comment.id
  site.setNow(new Date('2026-05-03T10:00:00.000Z'))

  expect(await read('/sitemap-threads-1.xml')).toEqual([
    { loc: `${ORIGIN}/dtpchan/board/busy/thread/${id}`, lastmod: '2026-05-02T10:00:00.000Z' },
    { loc: `${ORIGIN}/dtpchan/board/busy/thread/${deleted}`, lastmod: '2026-05-01T10:00:00.000Z' },
    { loc: `${ORIGIN}/dtpchan/board/doomed/thread/${lost}`, lastmod: '2026-05-01T10:00:00.000Z' },
  ])
  await callApi(site, 'DELETE', `${BOARDS}/busy/threads/${id}/comments/${spam}`, { token: admin })
  expect((await read('/sitemap-threads-1.xml'))[0]?.lastmod).toBe('2026-05-03T10:00:00.000Z')
  site.setNow(new Date('2026-05-04T10:00:00.000Z'))
  await callApi(site, 'DELETE', `${BOARDS}/busy/threads/${deleted}`, { token: admin })
  await callApi(site, 'DELETE', `${BOARDS}/doomed`, { token: admin })
  expect(await paths('/sitemap-threads-1.xml')).toEqual([`/dtpchan/board/busy/thread/${id}`])

  const boards = (await read('/sitemap-pages.xml')).filter(({ loc }) => loc.includes('/board/'))
  expect(boards.map(({ loc, lastmod }) => [path(loc), lastmod]).sort()).toEqual([
    [`/dtpchan/board/${busy}`, '2026-05-02T10:00:00.000Z'],
    // For a board without threads, `lastmod` is its creation date.
    [`/dtpchan/board/${quiet}`, expect.stringMatching(/^2\d{3}-\d\d-\d\dT/)],
  ])
  const index = await read('/sitemap.xml')
  expect(index.map(({ loc }) => path(loc))).toEqual(['/sitemap-pages.xml', '/sitemap-threads-1.xml'])
  // A crawler has to read the file again to notice the deleted thread.
  expect(index[1]?.lastmod).toBe('2026-05-04T10:00:00.000Z')
  expect(index[0]?.lastmod).toBe(
    boards
      .map(({ lastmod }) => lastmod)
      .sort()
      .at(-1),
  )
})

test('dates the news page by the latest article', async () => {
  site.setNow(new Date('2026-05-05T00:00:00.000Z'))
  const at = new Date('2026-05-03T12:00:00.000Z')
  const { db } = site.app.services
  await db.insert(feed).values({ url: 'https://news.example.org/feed', nextAt: at })
  await db.insert(article).values({
    feedUrl: 'https://news.example.org/feed',
    guid: 'a',
    url: 'https://news.example.org/a',
    urlKey: 'a',
    title: 'An article',
    source: 'news.example.org',
    publishedAt: at,
    seenAt: at,
  })
  const app = mapAlone()
  const news = (await read('/sitemap-pages.xml', app)).find(({ loc }) => path(loc) === '/today-in-tech')
  expect(news?.lastmod).toBe(at.toISOString())
  await app.close()
})

test('divides threads into files by id and reads them in batches', async () => {
  const { db } = site.app.services
  const ids = Array.from({ length: 2600 }, (_, index) => 10_001 + index * 2)
  await db.insert(thread).values(
    ids.map((id) => {
      const at = new Date(Date.UTC(2026, 0, 1) + id * 1000)
      return { id, boardId: 'busy', title: 't', lastActivity: at, changedAt: at }
    }),
  )
  // larger than a query batch, smaller than the number of threads
  const size = 2500
  const app = mapAlone(size)
  const index = await read('/sitemap.xml', app)
  const files = index.slice(1).map(({ loc }) => path(loc))
  expect(files).toEqual(['/sitemap-threads-1.xml', ...[5, 6, 7].map((part) => `/sitemap-threads-${part}.xml`)])
  const found: string[] = []
  for (const [at, file] of files.entries()) {
    const threads = await read(file, app)
    expect(threads.length).toBeLessThanOrEqual(size)
    // The first file also had threads that are deleted by now.
    const changes = [...threads.map(({ lastmod }) => lastmod), ...(at === 0 ? ['2026-05-04T10:00:00.000Z'] : [])]
    expect(index[at + 1]?.lastmod).toBe(changes.sort().at(-1))
    found.push(...threads.map(({ loc }) => path(loc)))
  }
  expect(found.slice(1)).toEqual(ids.map((id) => `/dtpchan/board/busy/thread/${id}`))
  // Requests for files without threads, and for invalid numbers, get a 404.
  for (const part of ['2', '8', '0', '01', '-1', '1e3', '999999999', 'x', '9999999999']) {
    expect([part, (await app.inject(`/sitemap-threads-${part}.xml`)).statusCode]).toEqual([part, 404])
  }
  await app.close()
})

test('queries the list of thread files once a minute', async () => {
  site.setNow(new Date('2026-05-05T00:00:00.000Z'))
  const { db, queries } = withQueryLog(site.app.services.db)
  const app = mapAlone(50_000, db)
  const passes = () => queries.filter(({ query }) => query.includes('group by')).length
  const index = await read('/sitemap.xml', app)
  expect(await Promise.all([read('/sitemap.xml', app), read('/sitemap.xml', app)])).toEqual([index, index])
  expect(passes()).toBe(1)
  site.setNow(new Date('2026-05-05T00:01:00.000Z'))
  await read('/sitemap.xml', app)
  expect(passes()).toBe(2)
  await app.close()
})

test('serves an unchanged sitemap compressed from the cache', async () => {
  const { db, queries } = withQueryLog(site.app.services.db)
  const app = mapAlone(50_000, db, true)
  for (const url of FILES) {
    const whole = await read(url, app)
    const before = queries.length
    expect(await read(url, app)).toEqual(whole)
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/-gzip"$/) })
    const known = await app.inject({
      url,
      headers: { 'if-none-match': String(packed.headers.etag).replace('-gzip', '') },
    })
    expect([url, known.statusCode, queries.length - before]).toEqual([url, 304, 0])
  }
  await app.close()
})

test('answers HEAD without a body', async () => {
  for (const url of FILES) {
    const answer = await site.app.inject({ method: 'HEAD', url })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, no-cache',
    })
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0)
  }
  expect((await site.app.inject({ method: 'HEAD', url: '/sitemap-threads-9.xml' })).statusCode).toBe(404)
})

test('answers 503 if the database fails, also in the middle of a file', async () => {
  const { services } = site.app
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  let asked = 0
  /** Returns a database that fails after this number of queries. */
  const failing = (after: number) =>
    new Proxy(services.db, {
      get: (db, name, self) => {
        if (name === 'select' && ++asked > after) throw away
        return Reflect.get(db, name, self)
      },
    })
  for (const url of FILES) {
    asked = 0
    const app = mapAlone(50_000, failing(0))
    const answer = await app.inject(url)
    expect([url, answer.statusCode, answer.headers['retry-after']]).toEqual([url, 503, '5'])
    asked = Number.NEGATIVE_INFINITY
    expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200])
    await app.close()
  }

  asked = 0
  const app = mapAlone(50_000, failing(2))
  expect((await app.inject('/sitemap-threads-1.xml')).statusCode).toBe(503)
  expect(asked).toBe(3)
  await app.close()
})

test('dates the file of the pages by the deletion of a board', async () => {
  // Later than the creation of the boards, which is the time of the database.
  const [posted, deleted] = [10, 20].map((minutes) => new Date(Date.now() + minutes * 60_000))
  const lastmod = async () => (await read('/sitemap.xml'))[0]?.lastmod
  site.setNow(posted ?? null)
  const boardId = await createBoard(site, 'newest', admin)
  await postThread(site, boardId)
  expect(await lastmod()).toBe(posted?.toISOString())
  site.setNow(deleted ?? null)
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}`, { token: admin })
  expect(await lastmod()).toBe(deleted?.toISOString())
})
