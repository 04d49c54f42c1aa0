import { and, asc, desc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import {
  ARTICLE_DAYS,
  ARTICLES_PER_PAGE,
  type ArticlePage,
  type ArticlesInput,
  type ArticleView,
} from '#src/contract/news.ts'
import { articleColumns, articleView } from './view.ts'

type Reader = Pick<Services, 'db' | 'now'>

/**
 * Hides articles that are too old or in the future. The age check adds hours to the column on purpose: for a plain
 * range of dates, a planner without statistics (PGlite) expects few rows and sorts the table instead of using an index.
 */
const isVisible = (now: Date) =>
  and(
    lte(article.publishedAt, now),
    sql`${article.publishedAt} + make_interval(hours => ${ARTICLE_DAYS * 24}) > ${now.toISOString()}`,
  )

const newestFirst = [desc(article.publishedAt), desc(article.id)]

export async function listArticles({ db, now }: Reader, { page, source }: ArticlesInput): Promise<ArticlePage> {
  const visible = isVisible(now())
  const counts = await countArticles({ db }, visible)
  const totalArticles = counts
    .filter((row) => source === undefined || row.source === source)
    .reduce((sum, { articles }) => sum + articles, 0)
  const totalPages = Math.max(1, Math.ceil(totalArticles / ARTICLES_PER_PAGE))
  const rows = totalArticles === 0 || page > totalPages ? [] : await readPage({ db }, visible, page, source)
  return {
    articles: rows.map(articleView),
    pagination: {
      currentPage: page,
      totalPages,
      articlesPerPage: ARTICLES_PER_PAGE,
      totalArticles,
      hasPrevPage: page > 1,
      hasNextPage: page < totalPages,
    },
    // Sorted here, because the order in the database depends on its collation.
    sources: counts.map((row) => row.source).toSorted(),
    sourceTitles: Object.fromEntries(counts.flatMap((row) => (row.title === null ? [] : [[row.source, row.title]]))),
  }
}

/**
 * Counts the visible articles of each source and reads its title. The title is null for a source with several feeds.
 * The query walks an index from source to source, because `group by` would read the whole table.
 */
async function countArticles({ db }: Pick<Reader, 'db'>, visible: SQL | undefined) {
  const next = sql`select ${article.source} from ${article}`
  return db.execute<{ source: string; articles: number; title: string | null }>(sql`
    with recursive named(source) as (
      (${next} order by ${article.source} limit 1)
      union all
      select (${next} where ${article.source} > named.source order by ${article.source} limit 1)
      from named where named.source is not null
    )
    select named.source, counted.articles, (
      select case when count(*) = 1 then max(${feed.title}) end from ${feed} where ${feed.source} = named.source
    ) as title from named cross join lateral (
      select count(*)::int as articles from ${article} where ${article.source} = named.source and ${visible}
    ) counted
    where counted.articles > 0`)
}

/**
 * Reads a page of articles. The offset is cheap: the table has at most 60 days of articles, and PostgreSQL skips rows
 * in an index, without reading the table.
 */
async function readPage(
  { db }: Pick<Reader, 'db'>,
  visible: SQL | undefined,
  page: number,
  source: string | undefined,
) {
  const sourceFilter = source === undefined ? [] : [sql`${article.source} = any(array[${source}])`]
  const picked = db
    .select({ id: article.id })
    .from(article)
    .where(and(visible, ...sourceFilter))
    // `any(array)` and this order make the planner use the index on the source.
    .orderBy(...sourceFilter.map(() => asc(article.source)), ...newestFirst)
    .limit(ARTICLES_PER_PAGE)
    .offset((page - 1) * ARTICLES_PER_PAGE)
    .as('picked')
  return db
    .select(articleColumns)
    .from(picked)
    .innerJoin(article, eq(article.id, picked.id))
    .orderBy(...newestFirst)
}

export const latestArticles = async (reader: Reader, limit: number): Promise<ArticleView[]> =>
  (await latestWithKeys(reader, limit)).map(({ article }) => article)

/** @returns each article with the hash of its URL, or of more if the URL has several articles */
export async function latestWithKeys(
  { db, now }: Reader,
  limit: number,
): Promise<{ article: ArticleView; urlKey: string }[]> {
  const rows = await db
    .select({ ...articleColumns, urlKey: article.urlKey })
    .from(article)
    .where(isVisible(now()))
    .orderBy(...newestFirst)
    .limit(limit)
  return rows.map(({ urlKey, ...row }) => ({ article: articleView(row), urlKey }))
}
