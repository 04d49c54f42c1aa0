import { sql } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import { type ArticleView, FALLBACK_IMAGE } from '#src/contract/news.ts'

/** The columns of articles and feeds that are sent to clients. */
export const articleColumns = {
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

export function articleView({ image, feedTitle, ...row }: ArticleRow): ArticleView {
  const { url, width, height } = image ? { ...image, url: fileUrl(image.name) } : FALLBACK_IMAGE
  return { ...row, sourceTitle: feedTitle ?? row.source, featuredImage: url, width, height }
}
