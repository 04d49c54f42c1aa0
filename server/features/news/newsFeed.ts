import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { Feed } from '#server/core/http/feed.ts'
import { type ArticleView, FALLBACK_IMAGE, NEWS_PATH } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { hashUrl } from './candidates.ts'
import { latestWithKeys } from './service.ts'

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
