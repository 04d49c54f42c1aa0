import { and, count, desc, eq, lte, sql } from 'drizzle-orm'
import { article } from '#db/schema/index.ts'
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
  // One pass over an index gives the sources and every number of the page.
  const counts = await db
    .select({ source: article.source, articles: count() })
    .from(article)
    .where(shown)
    .groupBy(article.source)
  const totalArticles = counts
    .filter((one) => source === undefined || one.source === source)
    .reduce((sum, { articles }) => sum + articles, 0)
  const totalPages = Math.max(1, Math.ceil(totalArticles / ARTICLES_PER_PAGE))
  const rows =
    totalArticles === 0 || page > totalPages
      ? []
      : await db
          .select(articleColumns)
          .from(article)
          .where(and(shown, source === undefined ? undefined : eq(article.source, source)))
          .orderBy(...newestFirst)
          .limit(ARTICLES_PER_PAGE)
          // Pages have numbers here, and the table holds no more than 60 days: what is skipped stays small, and is
          // never more than there is.
          .offset((page - 1) * ARTICLES_PER_PAGE)
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
  }
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
