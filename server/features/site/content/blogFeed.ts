import type { Services } from '#server/core/context.ts'
import type { Feed } from '#server/core/http/feed.ts'
import { BLOG_PATH, blogPostPath } from '#src/contract/siteContent.ts'
import { readPosts } from './service.ts'

const FEED_POSTS = 50

export async function createBlogFeed(ctx: Pick<Services, 'siteContent' | 'now' | 'config' | 'site'>): Promise<Feed> {
  const { siteUrl } = ctx.config
  const { name, blogName } = ctx.site
  const posts = await readPosts(ctx)
  return {
    page: `${siteUrl}${BLOG_PATH}`,
    title: blogName,
    author: name,
    entries: posts.slice(0, FEED_POSTS).map(({ slug, title, publishedAt, updatedAt, html }) => {
      const url = `${siteUrl}${blogPostPath(slug)}`
      // Feed readers do not know the page that a path belongs to.
      const absolute = html.replaceAll(/ (src|href)="\//g, ` $1="${siteUrl}/`)
      return { id: url, url, title, author: name, published: publishedAt, updated: updatedAt, html: absolute }
    }),
  }
}
