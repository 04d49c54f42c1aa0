import { asc, gt, isNull, max, sql } from 'drizzle-orm'
import { board, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors, errorTexts } from '#server/core/errors.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { latestArticles } from '#server/features/news/service.ts'
import { boardPath, threadPath } from '#src/contract/boardPaths.ts'
import { NEWS_PATH } from '#src/contract/news.ts'

type Reader = Pick<Services, 'db' | 'config' | 'now'>
type Place = { path: string; lastmod?: Date | null | undefined }

/** Most addresses of one file: a fifth of what the protocol of site maps allows, for a file is kept in memory whole. */
export const URLS_PER_FILE = 10_000
const CACHE_MS = 60_000
/** Threads read at a time, so that the database does nothing for long. */
const BATCH = 1000

/** Every page that is always there and may be found. */
const PAGES = [
  '/',
  '/about',
  '/archive',
  '/visualizer',
  NEWS_PATH,
  '/debauched-blog',
  '/dtpchan',
  '/paste-service',
  '/programs-we-love',
  '/password-generator',
  '/image-sharing',
]

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** A file of threads: its number, from 0, and when it last changed. */
type Part = { part: number; lastmod: Date | null }

/**
 * The map of the maps. Threads are parted by their numbers, so many to a file: a file never changes its address nor
 * its threads, and the old ones rest, which their date says.
 */
export async function renderSitemapIndex(ctx: Reader, readParts: () => Promise<Part[]>): Promise<string> {
  const [pages, parts] = await Promise.all([readPages(ctx), readParts()])
  const files: Place[] = [
    { path: '/sitemap-pages.xml', lastmod: newest(pages) },
    ...parts.map((one) => ({ path: threadSitemapPath(one.part + 1), lastmod: one.lastmod })),
  ]
  const listed = files.map((file) => place('sitemap', ctx, file)).join('')
  return `${HEAD}\n<sitemapindex ${NAMESPACE}>\n${listed}</sitemapindex>\n`
}

/** Reads which files of threads there are. Every thread is looked at for it, so it is done once a minute for everybody. */
export function createPartsReader(ctx: Reader, size: number): () => Promise<Part[]> {
  let known: { at: number; parts: Promise<Part[]> } | undefined
  return () => {
    const at = ctx.now().getTime()
    if (known && Math.abs(at - known.at) < CACHE_MS) return known.parts
    const reading = { at, parts: readParts(ctx, size) }
    known = reading
    reading.parts.catch(() => {
      if (known === reading) known = undefined
    })
    return reading.parts
  }
}

async function readParts({ db }: Reader, size: number): Promise<Part[]> {
  const part = sql<number>`((${thread.id} - 1) / ${sql.raw(String(size))})::int`
  const rows = await db
    .select({ part, lastmod: max(thread.lastActivity) })
    .from(thread)
    .where(isNull(thread.deletedAt))
    .groupBy(part)
  // Sorted here: in the database all threads would be, to group them.
  return rows.toSorted((a, b) => a.part - b.part)
}

/** Pages that are always there, and the boards. */
export async function renderPageSitemap(ctx: Reader): Promise<string> {
  const listed = (await readPages(ctx)).map((page) => place('url', ctx, page)).join('')
  return `${HEAD}\n<urlset ${NAMESPACE}>\n${listed}</urlset>\n`
}

/** Address of a file of threads; the first has number 1. */
export const threadSitemapPath = (part: number | string) => `/sitemap-threads-${part}.xml`

/**
 * One file of threads.
 * @throws AppError 404 where it has none
 */
export async function renderThreadSitemap(ctx: Reader, part: number, size: number): Promise<string> {
  const end = part * size
  let last = end - size
  let listed = ''
  while (last < end) {
    const rows = await readBatch(ctx, last)
    listed += rows
      .filter((row) => row.id <= end && row.deletedAt === null)
      .map(({ id, boardId, lastmod }) => place('url', ctx, { path: threadPath(boardId, id), lastmod }))
      .join('')
    last = rows.length === BATCH ? (rows.at(-1)?.id ?? end) : end
  }
  if (listed === '') throw errors.notFound(errorTexts.notFound)
  return `${HEAD}\n<urlset ${NAMESPACE}>\n${listed}</urlset>\n`
}

/**
 * The next threads by number. Deleted ones are left out by who asks: said here, a database that has no statistics
 * takes an index of other order for it, and reads all threads for each batch.
 */
const readBatch = ({ db }: Reader, after: number) =>
  db
    .select({
      id: thread.id,
      boardId: thread.boardId,
      lastmod: thread.lastActivity,
      deletedAt: thread.deletedAt,
    })
    .from(thread)
    .where(gt(thread.id, after))
    .orderBy(asc(thread.id))
    .limit(BATCH)

async function readPages(ctx: Reader): Promise<Place[]> {
  const [boards, [article]] = await Promise.all([readBoards(ctx), latestArticles(ctx, 1)])
  return [
    ...PAGES.map((path) => ({ path, lastmod: path === NEWS_PATH ? article?.publishedAt : undefined })),
    ...boards.map(({ id, lastmod, createdAt }) => ({ path: boardPath(id), lastmod: lastmod ?? createdAt })),
  ]
}

/** The oldest boards if ever there are more than a file may hold: each is reached from the list of boards anyway. */
const readBoards = ({ db }: Reader) =>
  db
    .select({
      id: board.id,
      createdAt: board.createdAt,
      // The first of an index that has them in this order; `max` over a join would read every thread.
      lastmod: sql`(select t.last_activity from thread t
        where t.board_id = "board"."id" and t.deleted_at is null
        order by t.last_activity desc, t.id desc limit 1)`.mapWith(thread.lastActivity),
    })
    .from(board)
    .where(isNull(board.deletedAt))
    .orderBy(asc(board.createdAt), asc(board.id))
    .limit(URLS_PER_FILE - PAGES.length)

const newest = (places: Place[]): Date | undefined => {
  const times = places.flatMap(({ lastmod }) => lastmod?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.max(...times)) : undefined
}

function place(name: 'sitemap' | 'url', { config }: Reader, { path, lastmod }: Place): string {
  const date = lastmod ? `<lastmod>${lastmod.toISOString()}</lastmod>` : ''
  return `<${name}><loc>${escapeXml(`${config.siteUrl}${path}`)}</loc>${date}</${name}>\n`
}
