import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { latestArticles, listArticles } from '#server/features/news/service.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { addArticles } from '#tests/helpers/articles.ts'
import { explainSteps, type LoggedQuery, withQueryLog } from '#tests/helpers/queryPlans.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const ARTICLES = '/api/tech-articles'
const NOW = new Date('2026-06-15T12:00:00.000Z')
const DAY = 24 * 60 * 60 * 1000
const ago = (ms: number) => new Date(NOW.getTime() - ms)

// Tests add articles in different years, so that each test sees only its own articles.
const EARLIER = new Date('2020-06-15T12:00:00.000Z')

/** A site with three sources (30, 5 and 1 articles) and some hidden articles. */
let site: TestSite
let ids: number[]
beforeAll(async () => {
  site = await startSite()
  site.setNow(NOW)
  const from = (source: string, count: number) => Array.from({ length: count }, () => ({ source }))
  ids = await addArticles(
    site.app.services.db,
    [...from('lwn.net', 30), ...from('hackaday.com', 5), ...from('ardour.org', 1)],
    NOW,
  )
  await addArticles(site.app.services.db, [
    { title: 'too old', source: 'old.example', publishedAt: ago(60 * DAY) },
    { title: 'not yet', source: 'early.example', publishedAt: ago(-1) },
  ])
})
beforeEach(() => site.setNow(NOW))
afterAll(() => site.close())

const list = async (query = '') => (await callApi(site, 'GET', `${ARTICLES}${query}`)).body
const idsOf = ({ articles }: { articles: { id: number }[] }) => articles.map(({ id }) => id)
const refused = async (query: string) => {
  const { status, body } = await callApi(site, 'GET', `${ARTICLES}${query}`)
  return [status, body]
}
const outcome = (error: string) => [400, { success: false, error }]

describe('GET /api/tech-articles', () => {
  test('returns one empty page without articles', async () => {
    site.setNow(new Date('2000-01-01T00:00:00.000Z'))
    expect(await list()).toEqual({
      success: true,
      articles: [],
      pagination: {
        currentPage: 1,
        totalPages: 1,
        articlesPerPage: 12,
        totalArticles: 0,
        hasPrevPage: false,
        hasNextPage: false,
      },
      sources: [],
      sourceTitles: {},
    })
  })

  test('returns pages of twelve, newest first', async () => {
    const pages = [await list(), await list('?page=2'), await list('?page=3')]
    expect(pages.map(({ articles }) => articles.length)).toEqual([12, 12, 12])
    expect(pages.flatMap(idsOf)).toEqual(ids)
    const numbers = { totalPages: 3, articlesPerPage: 12, totalArticles: 36 }
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { ...numbers, currentPage: 1, hasPrevPage: false, hasNextPage: true },
      { ...numbers, currentPage: 2, hasPrevPage: true, hasNextPage: true },
      { ...numbers, currentPage: 3, hasPrevPage: true, hasNextPage: false },
    ])
    expect(await list('?page=1')).toEqual(pages[0])
  })

  test.each(['4', '1000000'])('returns an empty page after the last one: %s', async (page) => {
    expect(await list(`?page=${page}`)).toMatchObject({
      success: true,
      articles: [],
      pagination: {
        currentPage: Number(page),
        totalPages: 3,
        totalArticles: 36,
        hasPrevPage: true,
        hasNextPage: false,
      },
      sources: ['ardour.org', 'hackaday.com', 'lwn.net'],
    })
  })

  test('filters by source and still lists all sources', async () => {
    expect(await list('?source=lwn.net&page=3')).toMatchObject({
      pagination: { currentPage: 3, totalPages: 3, totalArticles: 30 },
      sources: ['ardour.org', 'hackaday.com', 'lwn.net'],
    })
    expect(idsOf(await list('?source=lwn.net&page=3'))).toEqual(ids.slice(24, 30))
    expect(idsOf(await list('?source=hackaday.com'))).toEqual(ids.slice(30, 35))
  })

  test.each(['nowhere.example', 'LWN.net', 'lwn', "lwn.net'--", 'old.example', 'early.example'])(
    'returns nothing for the unknown source %s',
    async (source) => {
      expect(await list(`?source=${encodeURIComponent(source)}`)).toMatchObject({
        success: true,
        articles: [],
        pagination: { currentPage: 1, totalPages: 1, totalArticles: 0, hasNextPage: false },
      })
    },
  )

  test('hides articles that are 60 days old or in the future', async () => {
    const now = new Date('2021-03-01T00:00:00.000Z')
    site.setNow(now)
    const [, inside, present] = await addArticles(
      site.app.services.db,
      [60 * DAY, 60 * DAY - 1, 0, -1].map((age) => ({ publishedAt: new Date(now.getTime() - age) })),
    )
    const answer = await list()
    expect(idsOf(answer)).toEqual([present, inside])
    expect(answer.pagination.totalArticles).toBe(2)
    expect(await latestArticles(site.app.services, 20)).toHaveLength(2)
  })

  test('orders articles with the same date consistently across pages', async () => {
    const now = new Date('2022-06-01T00:00:00.000Z')
    site.setNow(now)
    const rows = Array.from({ length: 30 }, () => ({ publishedAt: now }))
    const made = await addArticles(site.app.services.db, rows)
    const pages = await Promise.all(['', '?page=2', '?page=3'].map(list))
    expect(pages.flatMap(idsOf)).toEqual(made.toReversed())
  })
})

test('returns only the documented fields, and images of this site', async () => {
  site.setNow(EARLIER)
  const imageId = 'a'.repeat(24)
  const publishedAt = new Date('2020-06-15T11:59:58.500Z')
  const common = { source: 'lwn.net', title: '<b>C & C++</b> “quoted”', publishedAt }
  const [pictured] = await addArticles(site.app.services.db, [
    {
      ...common,
      url: 'https://lwn.net/1?a=b&c',
      imageId,
      image: { name: `${imageId}.webp`, width: 600, height: 338 },
      imageUrls: [{ url: 'https://elsewhere.example/a.jpg' }],
    },
  ])
  const [plain] = await addArticles(site.app.services.db, [{ ...common, url: 'https://lwn.net/2' }])
  const { articles } = await list()
  const view = {
    title: common.title,
    source: 'lwn.net',
    sourceTitle: 'lwn.net',
    publishedAt: publishedAt.toISOString(),
  }
  expect(articles).toEqual([
    { ...view, id: plain, url: 'https://lwn.net/2', featuredImage: '/article.svg', width: 640, height: 360 },
    {
      ...view,
      id: pictured,
      url: 'https://lwn.net/1?a=b&c',
      featuredImage: `/dtpchan/uploads/${imageId}.webp`,
      width: 600,
      height: 338,
    },
  ])
})

describe('rejects invalid parameters with a clear message', () => {
  const page = 'page must be a whole number from 1 to 1000000'
  const source = 'source must be the host of a site'
  const pages = ['0', '-1', 'abc', '1e9', '1000001', '1000000000', '9'.repeat(400), '1.5', '', '01', '+1', '%201']
  test.each([...pages, 'null', 'NaN', 'Infinity', '%00', '1;drop%20table%20article', '١'])('page=%s', async (value) => {
    expect(await refused(`?page=${value}`)).toEqual(outcome(page))
    expect(await refused(`?source=lwn.net&page=${value}`)).toEqual(outcome(page))
  })
  test.each([
    ['?page=1&page=2', page],
    ['?source=a&source=b', source],
    ['?source=%00', source],
    [`?source=${'a'.repeat(256)}`, source],
  ])('%s', async (query, error) => expect(await refused(query)).toEqual(outcome(error)))

  test('accepts a malformed percent escape and unknown parameters', async () => {
    expect(await list('?source=%E0%A4%A')).toMatchObject({ success: true, articles: [] })
    expect(await list('?limit=5&other=1&page=2')).toEqual(await list('?page=2'))
  })
})

describe('news.latest', () => {
  const latest = (json: unknown) =>
    callApi(site, 'GET', `/trpc/news.latest?input=${encodeURIComponent(JSON.stringify({ json }))}`)

  test('returns the first articles of the list', async () => {
    const { body } = await latest({ count: 5 })
    expect(idsOf({ articles: body.result.data.json })).toEqual(ids.slice(0, 5))
    expect((await latest({ count: 20 })).body.result.data.json).toHaveLength(20)
  })

  test.each([0, 21, -1, 1.5, '5', null, [5], undefined])('rejects the count %j', async (count) => {
    const { status, body } = await latest({ count })
    expect([status, body.error.json.message]).toEqual([400, 'count must be a whole number from 1 to 20'])
  })
})

test('needs at most two queries for a page, and one for the newest articles', async () => {
  const { db, queries } = withQueryLog(site.app.services.db)
  const ctx = { db, now: site.app.services.now }
  const taken = async (ask: () => Promise<unknown>) => {
    queries.length = 0
    await ask()
    return queries.length
  }
  expect(await taken(() => listArticles(ctx, { page: 2 }))).toBe(2)
  expect(await taken(() => listArticles(ctx, { page: 1, source: 'lwn.net' }))).toBe(2)
  expect(await taken(() => listArticles(ctx, { page: 9 }))).toBe(1)
  expect(await taken(() => latestArticles(ctx, 6))).toBe(1)
})

test('reads a page of a large table from an index, with and without statistics', async () => {
  const { db } = site.app.services
  const rows = Array.from({ length: 1500 }, (_, index) => ({
    source: `s${index % 15}.example`,
    publishedAt: new Date(Date.UTC(2023, 0, 1) - index * 1000),
  }))
  await addArticles(db, rows)
  const { db: loggedDb, queries } = withQueryLog(db)
  await listArticles({ db: loggedDb, now: () => new Date(Date.UTC(2023, 0, 1)) }, { page: 3 })
  for (const prepare of ['select 1', 'analyze article']) {
    await db.execute(prepare)
    const steps = await explainSteps(db, queries.at(-1) as LoggedQuery, 'these')
    expect(steps.every(({ node, rows }) => node !== 'Seq Scan' && rows <= 36)).toBe(true)
  }
})
