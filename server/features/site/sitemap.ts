import { asc, gt, isNull, max, sql } from 'drizzle-orm'
import { board, thread } from '#db/schema/index.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import { sitePages } from '#server/core/cache/pageKeys.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { latestArticles } from '#server/features/news/service.ts'
import { boardPath } from '#src/contract/board.ts'
import { NEWS_PATH } from '#src/contract/news.ts'
import { refusal } from '#src/contract/refusal.ts'
import { blogPostPath } from '#src/contract/siteContent.ts'
import { threadPath } from '#src/contract/thread.ts'
import { listBlogPosts } from './content/service.ts'

type Reader = Pick<Services, 'db' | 'config' | 'now' | 'siteContent'>
type SitemapEntry = { path: string; lastmod?: Date | null | undefined }

/** Limits URLs per file, because the server keeps the files in memory. The sitemap protocol allows 50,000. */
export const URLS_PER_FILE = 10_000
const CACHE_MS = 60_000
/** Limits threads per query, to keep queries short. */
const BATCH = 1000

const PAGES = Object.keys(sitePages).filter((path) => sitePages[path]?.isListed)

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

type Part = { part: number; lastmod: Date | null }

/** Lists all sitemap files. A thread file covers a fixed range of thread ids, so that old files rarely change. */
export async function renderSitemapIndex(ctx: Reader, readParts: () => Promise<Part[]>): Promise<string> {
  const [pages, parts, deletion] = await Promise.all([readPages(ctx), readParts(), readLastDeletion(ctx)])
  const files: SitemapEntry[] = [
    { path: '/sitemap-pages.xml', lastmod: newest([...pages.map(({ lastmod }) => lastmod), deletion]) },
    ...parts.map(({ part, lastmod }) => ({ path: threadSitemapPath(part + 1), lastmod })),
  ]
  const xml = files.map((file) => renderEntry('sitemap', ctx, file)).join('')
  return `${XML_DECLARATION}\n<sitemapindex ${NAMESPACE}>\n${xml}</sitemapindex>\n`
}

/** Caches the list of thread files for a minute, because the query reads every thread. */
export const createPartsReader = (ctx: Reader, size: number): (() => Promise<Part[]>) =>
  cacheFor(CACHE_MS, () => readParts(ctx, size), { now: () => ctx.now().getTime() })

/** Deleted threads count, because their files have changed too. Files with nothing else are left out. */
async function readParts({ db }: Reader, size: number): Promise<Part[]> {
  const part = sql<number>`((${thread.id} - 1) / ${sql.raw(String(size))})::int`
  const rows = await db
    .select({ part, lastmod: max(thread.changedAt) })
    .from(thread)
    .groupBy(part)
    .having(sql`bool_or(${thread.deletedAt} is null)`)
  // Sort here: with ORDER BY, the database would sort all threads before it groups them.
  return rows.toSorted((a, b) => a.part - b.part)
}

export async function renderPageSitemap(ctx: Reader): Promise<string> {
  const xml = (await readPages(ctx)).map((page) => renderEntry('url', ctx, page)).join('')
  return `${XML_DECLARATION}\n<urlset ${NAMESPACE}>\n${xml}</urlset>\n`
}

export const threadSitemapPath = (part: number | string) => `/sitemap-threads-${part}.xml`

/** @throws AppError 404 for a file without threads */
export async function renderThreadSitemap(ctx: Reader, part: number, size: number): Promise<string> {
  const end = part * size
  let last = end - size
  let xml = ''
  while (last < end) {
    const rows = await readBatch(ctx, last)
    xml += rows
      .filter((row) => row.id <= end && row.deletedAt === null)
      .map(({ id, boardId, lastmod }) => renderEntry('url', ctx, { path: threadPath(boardId, id), lastmod }))
      .join('')
    last = rows.length === BATCH ? (rows.at(-1)?.id ?? end) : end
  }
  if (xml === '') throw errors.notFound(refusal('failure.notFound'))
  return `${XML_DECLARATION}\n<urlset ${NAMESPACE}>\n${xml}</urlset>\n`
}

/**
 * Returns the next threads by id, including deleted threads. With a filter on `deletedAt`, a database without
 * statistics would use another index and read all threads for each batch.
 */
const readBatch = ({ db }: Reader, after: number) =>
  db
    .select({
      id: thread.id,
      boardId: thread.boardId,
      // The last activity goes back when the newest post is removed, and crawlers would not come for that.
      lastmod: thread.changedAt,
      deletedAt: thread.deletedAt,
    })
    .from(thread)
    .where(gt(thread.id, after))
    .orderBy(asc(thread.id))
    .limit(BATCH)

async function readPages(ctx: Reader): Promise<SitemapEntry[]> {
  const [boards, [article]] = await Promise.all([readBoards(ctx), latestArticles(ctx, 1)])
  const [pages, posts] = await Promise.all([ctx.siteContent(), listBlogPosts(ctx)])
  return [
    ...PAGES.map((path) => ({ path, lastmod: path === NEWS_PATH ? article?.publishedAt : undefined })),
    ...pages.pages.map(({ slug }) => ({ path: `/${slug}` })),
    ...posts.map(({ slug, updatedAt }) => ({ path: blogPostPath(slug), lastmod: updatedAt })),
    ...boards.map(({ id, lastmod, createdAt }) => ({ path: boardPath(id), lastmod: lastmod ?? createdAt })),
  ]
}

/** Omits the newest boards if there are too many for one file. Crawlers find them in the list of boards. */
const readBoards = ({ db }: Reader) =>
  db
    .select({
      id: board.id,
      createdAt: board.createdAt,
      // This subquery reads one index row. `max` with a join would read every thread.
      lastmod: sql`(select t.last_activity from thread t
        where t.board_id = "board"."id" and t.deleted_at is null and t.archived_at is null
        order by t.last_activity desc, t.id desc limit 1)`.mapWith(thread.lastActivity),
    })
    .from(board)
    .where(isNull(board.deletedAt))
    .orderBy(asc(board.createdAt), asc(board.id))
    .limit(URLS_PER_FILE - PAGES.length)

/** Returns when a board was last deleted, which changes the file of the pages. */
async function readLastDeletion({ db }: Reader): Promise<Date | null> {
  const [row] = await db.select({ at: max(board.deletedAt) }).from(board)
  return row?.at ?? null
}

const newest = (dates: (Date | null | undefined)[]): Date | undefined => {
  const times = dates.flatMap((date) => date?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.max(...times)) : undefined
}

function renderEntry(name: 'sitemap' | 'url', { config }: Reader, { path, lastmod }: SitemapEntry): string {
  const date = lastmod ? `<lastmod>${lastmod.toISOString()}</lastmod>` : ''
  return `<${name}><loc>${escapeXml(`${config.siteUrl}${path}`)}</loc>${date}</${name}>\n`
}
