import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import type { PageContextServer } from 'vike/types'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createContext, type Services } from '#server/core/context.ts'
import { vacuumDatabase } from '#server/core/jobs/vacuum.ts'
import { countRecentPosts } from '#server/features/board/boards/boardOverview.ts'
import {
  createArchiveDocument,
  createCatalogDocument,
  createPageDocument,
  createThreadDocument,
  createThreadListDocument,
  PAGES,
} from '#server/features/board/fourchan/documents.ts'
import { findImage } from '#server/features/board/fourchan/imageNumber.ts'
import { createBoardFeed, createThreadFeed } from '#server/features/board/read/feed.ts'
import { findPostNumber } from '#server/features/board/read/oldUrls.ts'
import { findPublished } from '#server/features/board/read/queries.ts'
import { readEventPosts, readQuotedPost } from '#server/features/board/read/singlePosts.ts'
import { listThreads } from '#server/features/board/read/threadLists.ts'
import { readThreadUpdates } from '#server/features/board/watching/watchers.ts'
import { createNewsFeed } from '#server/features/news/service.ts'
import { renderPageSitemap } from '#server/features/site/sitemap.ts'
import { createCaller } from '#server/router.ts'
import { boardLimits } from '#src/contract/board.ts'
import { searchLimits } from '#src/contract/search.ts'
import { watchLimits } from '#src/contract/watching.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import {
  ARTICLES,
  LONG_THREAD_ID,
  SHARE_ID,
  seedLargeDataset,
  THREADS,
  threadCursor,
} from '#tests/helpers/largeDataset.ts'
import { explainSteps, type LoggedQuery, type PlanKind, withQueryLog } from '#tests/helpers/queryPlans.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

/** Tables that grow without limit. */
const GROWING = ['thread', 'post', 'post_search', 'quote', 'event', 'article', 'paste', 'image_share', 'moderation_log']
/** the most rows that a query may read: a few times the posts of a page and their quotes */
const MAX_ROWS_READ = 2500
/** the most rows that a query may sort: 51 threads with five comments each, and their quotes */
const MAX_ROWS_SORTED = 1000
/** the most rows that a search may read and sort: the ranked matches, a block of posts, and a sample */
const MAX_ROWS_SEARCHED = searchLimits.ranked + 4096 + 5000

let site: TestSite
let asked: LoggedQuery[]
let services: Services
let read: Record<string, () => Promise<unknown>>
beforeAll(async () => {
  site = await startSite()
  const { db } = site.app.services
  await seedLargeDataset(db, new Date())
  const noted = withQueryLog(db)
  asked = noted.queries
  services = { ...site.app.services, db: noted.db }
  read = { ...(await pageReads()), ...otherReads() }
})
afterAll(() => site.close())

type Asks = Partial<Record<'boardId' | 'threadId' | 'pasteId' | 'imageShareId', string>> & { search?: object }

/** Returns functions that read each page with different parameters. */
async function pageReads(): Promise<Record<string, () => Promise<unknown>>> {
  const createApi = () => createCaller(createContext(services, { ip: '127.0.0.1', headers: {} }, true))
  const { url } = await createApi().paste.create({ content: 'some text', expiryHours: 1 })
  const board = (boardId: string, cursor?: string): Asks => ({ boardId, search: { cursor } })
  const pages: Record<string, Asks[]> = {
    // Reads the latest threads, as Home does.
    _error: [],
    about: [{}],
    api: [],
    appeal: [{}, { search: { token: 'x' } }],
    archive: [{}, { search: { streamer: '1' } }],
    // Files of the operator.
    'debauched-blog/@slug': [],
    'debauched-blog/index': [{}],
    'dtpchan/all': [{}, ...[4000, 1500, 90].map((n) => ({ search: { cursor: threadCursor(n) } }))],
    'dtpchan/board/@boardId/archive': [
      ...['busy', 'old', 'empty'].map((id) => board(id)),
      board('third'),
      board('third', threadCursor(THREADS - 1500)),
    ],
    'dtpchan/board/@boardId/catalog': ['busy', 'old', 'third', 'empty'].map((id) => board(id)),
    'dtpchan/board/@boardId/index': [
      ...['busy', 'old', 'quiet', 'third', 'empty'].map((id) => board(id)),
      // Cursors in the middle, at the end, and between threads of other boards.
      ...[
        board('busy', threadCursor(THREADS - 900)),
        board('old', threadCursor(1500)),
        board('old', threadCursor(90)),
        board('old', threadCursor(THREADS)),
      ],
    ],
    'dtpchan/board/@boardId/post': [
      board('busy'),
      { boardId: 'quiet', search: { thread: '10' } },
      { boardId: 'busy', search: { thread: String(LONG_THREAD_ID), comment: String(LONG_THREAD_ID + 1) } },
    ],
    'dtpchan/board/@boardId/thread/@threadId': [
      { boardId: 'busy', threadId: String(LONG_THREAD_ID) },
      { boardId: 'quiet', threadId: '10' },
    ],
    'dtpchan/index': [{}],
    'dtpchan/log': [{}, { search: { before: '2500' } }],
    // Reads settings only.
    'go-live': [],
    'image-share/@imageShareId/delete': [],
    'image-share/@imageShareId/index': [{ imageShareId: SHARE_ID }],
    'image-sharing': [{}],
    index: [{}],
    'paste-service': [{}],
    'paste/@pasteId/delete': [],
    'paste/@pasteId/index': [{ pasteId: url.split('/').at(-1) }],
    'programs-we-love': [{}],
    // Off by default, and the table is small.
    'song-requests': [],
    radio: [{}],
    'site-page': [],
    'today-in-tech': [
      {},
      ...[2, Math.floor(ARTICLES / 24), Math.ceil(ARTICLES / 12)].map((page) => ({ search: { page: String(page) } })),
      ...['rare.example', 's1.example'].map((source) => ({ search: { source } })),
      { search: { source: 's1.example', page: '20' } },
    ],
    report: [{}],
    search: [
      {},
      ...['words', 'thread', '"some words"', 'words -thread', 'nick:ferrite', 'nowhere', 'nick:gl1tch words'].flatMap(
        (q) => [{ search: { q } }, { search: { q, sort: 'date' } }],
      ),
      { search: { q: 'words', board: 'old' } },
      { search: { q: 'words', board: 'quiet', sort: 'date' } },
      { search: { q: 'words', from: '2024-01-02', to: '2024-01-02' } },
      { search: { q: 'words', images: 'true', from: '2023-02-02' } },
      { search: { q: 'words', sort: 'date', cursor: '20000' } },
    ],
    unknown: [],
  }
  const root = resolve('pages')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('/+data.ts'))
  expect(files.map((path) => path.replace('/+data.ts', '')).sort()).toEqual(Object.keys(pages).sort())
  const reads: Record<string, () => Promise<unknown>> = {}
  for (const [page, all] of Object.entries(pages)) {
    const { data } = (await import(resolve(root, page, '+data.ts'))) as { data: (context: unknown) => unknown }
    for (const { search = {}, ...routeParams } of all) {
      const context: Partial<PageContextServer> = { routeParams, urlParsed: { search } as never }
      reads[`${page} ${JSON.stringify({ ...routeParams, ...search })}`] = async () =>
        data({ ...context, config: {}, api: createApi() })
    }
  }
  return reads
}

const otherReads = (): Record<string, () => Promise<unknown>> => ({
  ...Object.fromEntries(
    ['busy', 'old', 'quiet'].map((id) => [`threads of the board ${id}`, () => listThreads(services, id)]),
  ),
  'feed of a board': () => createBoardFeed(services, 'busy'),
  ...Object.fromEntries(
    ['busy', 'old', 'quiet'].flatMap((id) => [
      [`JSON list of ${id}`, () => createThreadListDocument(services, id)],
      [`JSON catalog of ${id}`, () => createCatalogDocument(services, id)],
      [`JSON archive of ${id}`, () => createArchiveDocument(services, id)],
      [`JSON pages of ${id}`, () => createPageDocument(services, id, 1)],
      [`last JSON page of ${id}`, () => createPageDocument(services, id, PAGES)],
    ]),
  ),
  'JSON of a thread': () => createThreadDocument(services, 'busy', LONG_THREAD_ID),
  'image by its number': () => findImage(services, 'busy', Date.UTC(2024, 0, 1) * 1000 + 10),
  'post by its number': () => findPostNumber(services, 'busy', LONG_THREAD_ID + 12),
  'feed of a thread': () => createThreadFeed(services, 'busy', LONG_THREAD_ID),
  'feed of news': () => createNewsFeed(services),
  'site map, pages': () => renderPageSitemap(services),
  'posts of events': () => readEventPosts(services, [LONG_THREAD_ID, LONG_THREAD_ID + 1]),
  'what is new in fifty threads': () =>
    readThreadUpdates(
      services,
      Array.from({ length: watchLimits.threads }, (_, at) => ({ id: LONG_THREAD_ID - at * 10, after: at })),
    ),
  'a quoted post': () => readQuotedPost(services, LONG_THREAD_ID),
  'posts of a day': () => countRecentPosts(services),
  'place of a reply': () =>
    findPublished(services, {
      boardId: 'busy',
      threadId: LONG_THREAD_ID,
      commentId: LONG_THREAD_ID + 1,
      replyId: LONG_THREAD_ID + 12,
    }),
})

async function queriesOf(name: string): Promise<LoggedQuery[]> {
  asked.length = 0
  const found = await read[name]?.()
  expect([name, (found as { error?: unknown })?.error]).toEqual([name, undefined])
  return [...asked]
}
/** Returns whether a query is for a news page: it counts all visible articles, or skips those of earlier pages. */
const isPageOfNews = ({ query }: LoggedQuery) => query.includes('"article"') && /count\(\*\)|"picked"/.test(query)

const isSearch = ({ query }: LoggedQuery) => query.includes('"post_search"')

/** Returns the faults of a query's plan: full scans of growing tables, and too many rows read or sorted. */
async function faultsOf(one: LoggedQuery, planned: PlanKind): Promise<string[]> {
  const steps = await explainSteps(site.app.services.db, one, planned)
  const reads = steps.filter(({ table }) => GROWING.includes(table))
  const rows = reads
    // Skips index-only scans of news pages, because they are cheap.
    .filter(({ node }) => !isPageOfNews(one) || node !== 'Index Only Scan')
    .reduce((sum, step) => sum + step.rows, 0)
  return [
    ...reads.filter(({ node }) => node === 'Seq Scan').map(({ table }) => `reads all of ${table}`),
    ...(rows > (isSearch(one) ? MAX_ROWS_SEARCHED : MAX_ROWS_READ) ? [`reads ${rows} rows`] : []),
    ...steps
      .filter(({ node, rows }) => node.includes('Sort') && rows > (isSearch(one) ? MAX_ROWS_SEARCHED : MAX_ROWS_SORTED))
      .map(({ rows }) => `sorts ${rows}`),
  ].map((fault) => `${fault}: ${one.query}`)
}

async function faults(planned: PlanKind, isAsserted: (one: LoggedQuery) => boolean = () => true): Promise<string[]> {
  const found: string[] = []
  for (const name of Object.keys(read)) {
    for (const one of (await queriesOf(name)).filter(isAsserted)) {
      found.push(...(await faultsOf(one, planned)).map((fault) => `${name} ${fault}`))
    }
  }
  return found
}

/** Without statistics, both databases plan alike, so one does on a push. */
const planTest = test.runIf(isDeep || inject('database') === 'postgres')

planTest('needs at most three queries per page', async () => {
  const counts: [string, number][] = []
  for (const name of Object.keys(read)) counts.push([name, (await queriesOf(name)).length])
  expect(counts.filter(([, queries]) => queries > 3)).toEqual([])
  // Proves that the query log works.
  expect(counts.filter(([, queries]) => queries === 3).length).toBeGreaterThan(5)
})

planTest.each<PlanKind>(['these', 'any'])('uses indexes without statistics, planned for %s values', async (planned) => {
  // Skips news pages, because they may sort all articles.
  expect(await faults(planned, (one) => !isPageOfNews(one))).toEqual([])
})

test('uses indexes with statistics, which a job updates in the embedded database', async () => {
  const { db } = site.app.services
  await vacuumDatabase(site.app.services, new AbortController().signal)
  const known = await db.execute(sql`select distinct tablename from pg_stats where schemaname = 'public'`)
  expect(known.map(({ tablename }) => tablename)).toEqual(
    expect.arrayContaining(['thread', 'post', 'quote', 'article']),
  )
  expect(await faults('these')).toEqual([])
  // Skips news pages, because PostgreSQL plans their queries separately for each offset.
  expect(await faults('any', (one) => !isPageOfNews(one))).toEqual([])
})

planTest('reads only threads of the board for a page, and the pinned threads, at any cursor', async () => {
  const passed: [string, number][] = []
  for (const name of Object.keys(read).filter((one) => one.startsWith('dtpchan/board/@boardId/index'))) {
    const [, list] = await queriesOf(name)
    const steps = await explainSteps(site.app.services.db, list as LoggedQuery, 'these')
    const rows = steps.filter(({ table }) => table === 'thread').reduce((sum, step) => sum + step.rows, 0)
    passed.push([name, rows])
  }
  expect(passed.filter(([, rows]) => rows > boardLimits.threadsPerPage + 1 + boardLimits.pinnedThreads)).toEqual([])
  expect(passed.length).toBeGreaterThan(5)
})
