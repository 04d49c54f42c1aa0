import { article } from '#db/schema/index.ts'
import { fileUrl } from '#server/core/uploads.ts'
import { type ArticleView, FALLBACK_PICTURE } from '#src/contract/news.ts'

/** What a view is made of; nothing else of an article leaves the server. */
export const articleColumns = {
  id: article.id,
  title: article.title,
  url: article.url,
  image: article.image,
  source: article.source,
  publishedAt: article.publishedAt,
}
type ArticleRow = Pick<typeof article.$inferSelect, keyof typeof articleColumns>

/** An article as a visitor sees it: its picture is always one of this site. */
export function articleView({ image, ...row }: ArticleRow): ArticleView {
  const { url, width, height } = image ? { ...image, url: fileUrl(image.name) } : FALLBACK_PICTURE
  return { ...row, featuredImage: url, width, height }
}
