import { and, asc, desc, gt, lte, sql } from 'drizzle-orm'
import { article } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { ARTICLE_DAYS, ARTICLES_PER_PAGE, type ArticlePage, type ArticleView } from '#src/contract/news.ts'
import type { ArticlesInput } from '#src/contract/newsForms.ts'
import { articleColumns, articleView } from './view.ts'

type Reader = Pick<Services, 'db' | 'now'>

const DAY_MS = 24 * 60 * 60 * 1000

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
  const time = now()
  const counts = await countArticles({ db }, time)
  const asked = counts.filter((one) => source === undefined || one.source === source)
  const totalArticles = asked.reduce((sum, { articles }) => sum + articles, 0)
  const totalPages = Math.max(1, Math.ceil(totalArticles / ARTICLES_PER_PAGE))
  const offset = (page - 1) * ARTICLES_PER_PAGE
  const start = startOf(asked, offset)
  const rows = start
    ? await db
        .select(articleColumns)
        .from(article)
        .where(
          and(
            lte(article.publishedAt, new Date(Math.min(start.until, time.getTime()))),
            // A list of one source, in the order of its index: the planner cannot walk through all others instead.
            source === undefined ? undefined : sql`${article.source} = any(array[${source}])`,
          ),
        )
        .orderBy(...(source === undefined ? [] : [asc(article.source)]), ...newestFirst)
        // What is too old to be shown is older than all that was counted.
        .limit(Math.min(ARTICLES_PER_PAGE, totalArticles - offset))
        .offset(start.skipped)
    : []
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
    sources: [...new Set(counts.map((one) => one.source))].toSorted(),
  }
}

/** Articles of a source on a day; days are counted from 1970. */
type Count = { source: string; day: number; articles: number }

/**
 * How many articles are shown. From source to source along an index, and within each along its dates: a plain grouping
 * reads the table, whose rows are large.
 */
async function countArticles({ db }: Pick<Reader, 'db'>, now: Date): Promise<Count[]> {
  const oldest = new Date(now.getTime() - ARTICLE_DAYS * DAY_MS)
  const next = sql`select ${article.source} from ${article}`
  return db.execute<Count>(sql`
    with recursive named(source) as (
      (${next} order by ${article.source} limit 1)
      union all
      select (${next} where ${article.source} > named.source order by ${article.source} limit 1)
      from named where named.source is not null
    )
    select named.source, counted.day, counted.articles from named cross join lateral (
      select floor(extract(epoch from ${article.publishedAt}) / 86400)::int as day, count(*)::int as articles
      from ${article}
      where ${article.source} = named.source and ${gt(article.publishedAt, oldest)} and ${lte(article.publishedAt, now)}
      group by day offset 0) counted`)
}

/** Where a page begins: behind an instant in ms and some articles more, which are never more than those of a day. */
function startOf(counts: Count[], offset: number): { until: number; skipped: number } | null {
  const perDay = new Map<number, number>()
  for (const { day, articles } of counts) perDay.set(day, (perDay.get(day) ?? 0) + articles)
  let skipped = offset
  for (const [day, articles] of [...perDay].sort(([a], [b]) => b - a)) {
    if (skipped < articles) return { until: (day + 1) * DAY_MS - 1, skipped }
    skipped -= articles
  }
  return null
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
