import type { Services } from '#server/core/context.ts'
import type { AtomFeed } from '#server/core/http/atomFeed.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { type ArticleView, FALLBACK_PICTURE, NEWS_FEED_PATH, NEWS_PATH } from '#src/contract/news.ts'
import { latestArticles } from './service.ts'

const FEED_ARTICLES = 50

/** The newest articles as a feed; each is read at its own site. */
export async function newsFeed(ctx: Pick<Services, 'db' | 'now' | 'config'>): Promise<AtomFeed> {
  const { siteUrl } = ctx.config
  const articles = await latestArticles(ctx, FEED_ARTICLES)
  return {
    url: `${siteUrl}${NEWS_FEED_PATH}`,
    page: `${siteUrl}${NEWS_PATH}`,
    title: 'Today in Tech',
    author: 'Today in Tech',
    entries: articles.map((article) => ({
      // Of its own address, not of our number: an article that comes back is the same.
      id: article.url,
      url: article.url,
      title: article.title,
      author: article.sourceTitle,
      published: article.publishedAt,
      updated: article.publishedAt,
      ...pictured(article, siteUrl),
    })),
  }
}

const pictured = ({ featuredImage, width, height }: ArticleView, siteUrl: string) =>
  featuredImage === FALLBACK_PICTURE.url
    ? {}
    : { html: `<img src="${escapeXml(`${siteUrl}${featuredImage}`)}" width="${width}" height="${height}" alt="">` }
