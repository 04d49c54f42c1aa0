import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { BlogPost, BlogPostSummary, SitePage } from '#src/contract/siteContent.ts'

type Reader = Pick<Services, 'siteContent' | 'now'>

/** @throws AppError 404 */
export async function findSitePage({ siteContent }: Reader, slug: string): Promise<SitePage> {
  const page = (await siteContent()).pages.find((page) => page.slug === slug)
  if (!page) throw errors.notFound(refusal('ui.pageNotFound'))
  return page
}

/** Lists the posts whose time has come, newest first. */
export async function listBlogPosts(ctx: Reader): Promise<BlogPostSummary[]> {
  return (await readPosts(ctx)).map(({ html: _, ...summary }) => summary)
}

/** @throws AppError 404 */
export async function findBlogPost(ctx: Reader, slug: string): Promise<BlogPost> {
  const post = (await readPosts(ctx)).find((post) => post.slug === slug)
  if (!post) throw errors.notFound(refusal('moderation.postNotFound'))
  return post
}

export async function readPosts({ siteContent, now }: Reader): Promise<BlogPost[]> {
  const time = now()
  return (await siteContent()).posts.filter(({ publishedAt }) => publishedAt <= time)
}
