import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import type { PageContextServer } from 'vike/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext, type Services } from '#server/core/context.ts'
import { vacuumDatabase } from '#server/core/jobs/vacuum.ts'
import { boardFeed, threadFeed } from '#server/features/board/atom.ts'
import { resolvePosts } from '#server/features/board/eventPosts.ts'
import { findReply } from '#server/features/board/queries.ts'
import { listThreads } from '#server/features/board/threads.ts'
import { createNewsFeed } from '#server/features/news/atom.ts'
import { renderPageSitemap } from '#server/features/site/sitemap.ts'
import { createCaller } from '#server/router.ts'
import { boardLimits } from '#src/contract/board.ts'
import { ARTICLES, LONG_THREAD_ID, SHARE_ID, seedLargeDataset, THREADS, threadCursor } from '#tests/helpers/crowd.ts'
import { explainSteps, type LoggedQuery, type PlanKind, withQueryLog } from '#tests/helpers/queryPlans.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

/** What grows with the years; all else is small, and may be read as a whole. */
const GROWING = ['thread', 'post', 'quote', 'event', 'article', 'paste', 'image_share']
/** Posts of a page and what they quote, each looked up a few times over. */
const MOST_ROWS = 2500
/**
 * Posts of a board's page: 51 threads, the last of which is only looked at, each with five comments; and what quotes
 * each of them, post by post.
 */
const MOST_SORTED = 1000

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

/** Each page, with what it can be asked for: whatever it shows, and however far behind. */
async function pageReads(): Promise<Record<string, () => Promise<unknown>>> {
  const createApi = () => createCaller(createContext(services, { ip: '127.0.0.1', headers: {} }, true))
  const { url } = await createApi().paste.create({ content: 'some text', expiryHours: 1 })
  const board = (boardId: string, cursor?: string): Asks => ({ boardId, search: { cursor } })
  const pages: Record<string, Asks[]> = {
    about: [{}],
    archive: [{}, { search: { streamer: '1' } }],
    'dtpchan/board/@boardId/index': [
      ...['busy', 'old', 'quiet', 'empty'].map((id) => board(id)),
      // In the middle, at the end, and between threads that are all of other boards.
      ...[
        board('busy', threadCursor(THREADS - 900)),
        board('old', threadCursor(1500)),
        board('old', threadCursor(90)),
        board('old', threadCursor(THREADS)),
      ],
    ],
    'dtpchan/board/@boardId/thread/@threadId': [
      { boardId: 'busy', threadId: String(LONG_THREAD_ID) },
      { boardId: 'quiet', threadId: '10' },
    ],
    'dtpchan/index': [{}],
    'image-share/@imageShareId/delete': [],
    'image-share/@imageShareId/index': [{ imageShareId: SHARE_ID }],
    'image-sharing': [{}],
    index: [{}],
    'paste-service': [{}],
    'paste/@pasteId/delete': [],
    'paste/@pasteId/index': [{ pasteId: url.split('/').at(-1) }],
    'programs-we-love': [{}],
    'today-in-tech': [
      {},
      ...[2, Math.floor(ARTICLES / 24), Math.ceil(ARTICLES / 12)].map((page) => ({ search: { page: String(page) } })),
      ...['rare.example', 's1.example'].map((source) => ({ search: { source } })),
      { search: { source: 's1.example', page: '20' } },
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
        data({ ...context, api: createApi() })
    }
  }
  return reads
}

/** Everything else that is asked in passing. */
const otherReads = (): Record<string, () => Promise<unknown>> => ({
  ...Object.fromEntries(
    ['busy', 'old', 'quiet'].map((id) => [`threads of the board ${id}`, () => listThreads(services, id)]),
  ),
  'feed of a board': () => boardFeed(services, 'busy'),
  'feed of a thread': () => threadFeed(services, 'busy', String(LONG_THREAD_ID)),
  'feed of news': () => createNewsFeed(services),
  'site map, pages': () => renderPageSitemap(services),
  'posts told to who listens': () => resolvePosts(services.db, [LONG_THREAD_ID, LONG_THREAD_ID + 1]),
  'place of a reply': () =>
    findReply(services, {
      boardId: 'busy',
      threadId: `${LONG_THREAD_ID}`,
      commentId: `${LONG_THREAD_ID + 1}`,
      replyId: `${LONG_THREAD_ID + 12}`,
    }),
})

async function queriesOf(name: string): Promise<LoggedQuery[]> {
  asked.length = 0
  const found = await read[name]?.()
  expect([name, (found as { error?: unknown })?.error]).toEqual([name, undefined])
  return [...asked]
}
/** Every article that is shown is counted for the number of pages, and skipped up to the one that is asked for. */
const isPageOfNews = ({ query }: LoggedQuery) => /count\(\*\)|"picked"/.test(query)

/** What of growing tables a query read, and how; and what it sorted beyond what a page shows. */
async function faultsOf(one: LoggedQuery, planned: PlanKind): Promise<string[]> {
  const steps = await explainSteps(site.app.services.db, one, planned)
  const reads = steps.filter(({ table }) => GROWING.includes(table))
  const rows = reads
    // What stands in the index alone is as little as can be.
    .filter(({ node }) => !isPageOfNews(one) || node !== 'Index Only Scan')
    .reduce((sum, step) => sum + step.rows, 0)
  return [
    ...reads.filter(({ node }) => node === 'Seq Scan').map(({ table }) => `reads all of ${table}`),
    ...(rows > MOST_ROWS ? [`reads ${rows} rows`] : []),
    ...steps.filter(({ node, rows }) => node.includes('Sort') && rows > MOST_SORTED).map(({ rows }) => `sorts ${rows}`),
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

test('whatever a page shows, it takes three queries at most', async () => {
  const counts: [string, number][] = []
  for (const name of Object.keys(read)) counts.push([name, (await queriesOf(name)).length])
  expect(counts.filter(([, queries]) => queries > 3)).toEqual([])
  // Something was counted: those that show the most take three.
  expect(counts.filter(([, queries]) => queries === 3).length).toBeGreaterThan(5)
})

test.each<PlanKind>(['these', 'any'])(
  'each is answered along indexes, while the database does not know yet what its tables hold: planned for %s values',
  async (planned) => {
    // But for pages of news, for which it may sort them all.
    expect(await faults(planned, (one) => !isPageOfNews(one))).toEqual([])
  },
)

test('and all are when it knows, which the embedded one is told by a job', async () => {
  const { db } = site.app.services
  await vacuumDatabase(site.app.services, new AbortController().signal)
  const known = await db.execute(sql`select distinct tablename from pg_stats where schemaname = 'public'`)
  expect(known.map(({ tablename }) => tablename)).toEqual(
    expect.arrayContaining(['thread', 'post', 'quote', 'article']),
  )
  expect(await faults('these')).toEqual([])
  // How far behind a page of news is tells what it takes: it is planned anew each time, for less.
  expect(await faults('any', (one) => !isPageOfNews(one))).toEqual([])
})

test('a page of a board passes no thread but its own, wherever its cursor stands', async () => {
  const passed: [string, number][] = []
  for (const name of Object.keys(read).filter((one) => one.startsWith('dtpchan/board/@boardId/index'))) {
    const [, list] = await queriesOf(name)
    const steps = await explainSteps(site.app.services.db, list as LoggedQuery, 'these')
    const rows = steps.filter(({ table }) => table === 'thread').reduce((sum, step) => sum + step.rows, 0)
    passed.push([name, rows])
  }
  expect(passed.filter(([, rows]) => rows > boardLimits.threadsPerPage + 1)).toEqual([])
  expect(passed.length).toBeGreaterThan(5)
})
