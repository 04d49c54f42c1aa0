import { and, asc, desc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { Feed } from '#server/core/http/feed.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import {
  ARTICLE_DAYS,
  ARTICLES_PER_PAGE,
  type ArticlePage,
  type ArticlesInput,
  type ArticleView,
  FALLBACK_IMAGE,
  NEWS_PATH,
} from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { hashUrl } from './candidates.ts'

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
async function latestWithKeys({ db, now }: Reader, limit: number): Promise<{ article: ArticleView; urlKey: string }[]> {
  const rows = await db
    .select({ ...articleColumns, urlKey: article.urlKey })
    .from(article)
    .where(isVisible(now()))
    .orderBy(...newestFirst)
    .limit(limit)
  return rows.map(({ urlKey, ...row }) => ({ article: articleView(row), urlKey }))
}

/** The columns of articles and feeds that are sent to clients. */
const articleColumns = {
  id: article.id,
  title: article.title,
  url: article.url,
  image: article.image,
  source: article.source,
  // A subquery, because with a join the planner would start with the feeds and sort all articles.
  feedTitle: sql<string | null>`(select ${feed.title} from ${feed} where ${feed.url} = ${article.feedUrl})`,
  publishedAt: article.publishedAt,
}
type ArticleRow = Pick<typeof article.$inferSelect, Exclude<keyof typeof articleColumns, 'feedTitle'>> & {
  feedTitle: string | null
}

function articleView({ image, feedTitle, ...row }: ArticleRow): ArticleView {
  const { url, width, height } = image ? { ...image, url: fileUrl(image.name) } : FALLBACK_IMAGE
  return { ...row, sourceTitle: feedTitle ?? row.source, featuredImage: url, width, height }
}

const FEED_ARTICLES = 50

export async function createNewsFeed(ctx: Pick<Services, 'db' | 'now' | 'config'>): Promise<Feed> {
  const { siteUrl } = ctx.config
  const articles = await latestWithKeys(ctx, FEED_ARTICLES)
  return {
    page: `${siteUrl}${NEWS_PATH}`,
    title: t('news.title'),
    author: t('news.title'),
    entries: articles.map(({ article, urlKey }) => ({
      // Uses the URL: an article that is stored again after deletion gets a new id, so readers would show it twice.
      id: urlKey === hashUrl(article.url) ? article.url : Object.assign(new URL(article.url), { hash: urlKey }).href,
      url: article.url,
      title: article.title,
      author: article.sourceTitle,
      published: article.publishedAt,
      updated: article.publishedAt,
      ...imageHtml(article, siteUrl),
    })),
  }
}

const imageHtml = ({ featuredImage, width, height }: ArticleView, siteUrl: string) =>
  featuredImage === FALLBACK_IMAGE.url
    ? {}
    : { html: `<img src="${escapeXml(`${siteUrl}${featuredImage}`)}" width="${width}" height="${height}" alt="">` }
