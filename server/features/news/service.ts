import { and, asc, desc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { ARTICLE_DAYS, ARTICLES_PER_PAGE, type ArticlePage, type ArticleView } from '#src/contract/news.ts'
import type { ArticlesInput } from '#src/contract/newsForms.ts'
import { articleColumns, articleView } from './view.ts'

type Reader = Pick<Services, 'db' | 'now'>

/**
 * Neither what the sweep has not reached yet, nor what a wrong clock has dated ahead. The age is compared as a sum:
 * from two plain bounds a database that has no statistics, as the embedded one, expects next to nothing in between,
 * and sorts the whole table for twelve rows.
 */
const isShown = (now: Date) =>
  and(
    lte(article.publishedAt, now),
    sql`${article.publishedAt} + make_interval(hours => ${ARTICLE_DAYS * 24}) > ${now.toISOString()}`,
  )

const newestFirst = [desc(article.publishedAt), desc(article.id)]

/** One page of articles, newest first, of one source or of all; past the last one there are none. */
export async function listArticles({ db, now }: Reader, { page, source }: ArticlesInput): Promise<ArticlePage> {
  const shown = isShown(now())
  const counts = await countArticles({ db }, shown)
  const totalArticles = counts
    .filter((one) => source === undefined || one.source === source)
    .reduce((sum, { articles }) => sum + articles, 0)
  const totalPages = Math.max(1, Math.ceil(totalArticles / ARTICLES_PER_PAGE))
  const rows = totalArticles === 0 || page > totalPages ? [] : await readPage({ db }, shown, page, source)
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
    // Sorted here: databases do not agree on the order of a text.
    sources: counts.map((one) => one.source).toSorted(),
    sourceTitles: Object.fromEntries(counts.flatMap((one) => (one.title === null ? [] : [[one.source, one.title]]))),
  }
}

/**
 * Counts the shown articles of each source and finds its title, which is null for a source with several feeds. The query
 * walks an index from one source to the next, because a plain grouping reads the whole table.
 */
async function countArticles({ db }: Pick<Reader, 'db'>, shown: SQL | undefined) {
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
      select count(*)::int as articles from ${article} where ${article.source} = named.source and ${shown}
    ) counted
    where counted.articles > 0`)
}

/**
 * Pages have numbers here, and the table holds no more than 60 days: what is skipped stays small. It is skipped in an
 * index, before anything is read of the table.
 */
async function readPage({ db }: Pick<Reader, 'db'>, shown: SQL | undefined, page: number, source: string | undefined) {
  const ofSource = source === undefined ? [] : [sql`${article.source} = any(array[${source}])`]
  const picked = db
    .select({ id: article.id })
    .from(article)
    .where(and(shown, ...ofSource))
    // A list of one source, in the order of its index: the planner cannot walk through all the others instead.
    .orderBy(...ofSource.map(() => asc(article.source)), ...newestFirst)
    .limit(ARTICLES_PER_PAGE)
    .offset((page - 1) * ARTICLES_PER_PAGE)
    .as('picked')
  return db
    .select(articleColumns)
    .from(picked)
    .innerJoin(article, eq(article.id, picked.id))
    .orderBy(...newestFirst)
}

/** The newest articles of all sources. */
export async function latestArticles({ db, now }: Reader, limit: number): Promise<ArticleView[]> {
  const rows = await db
    .select(articleColumns)
    .from(article)
    .where(isShown(now()))
    .orderBy(...newestFirst)
    .limit(limit)
  return rows.map(articleView)
}
