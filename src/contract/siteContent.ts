/** Images of the operator's pages and posts. */
export const SITE_IMAGES_PATH = '/site/images'
export const BLOG_PATH = '/debauched-blog'
export const blogPostPath = (slug: string) => `${BLOG_PATH}/${slug}`

/** A file of the operator's folder that is not used. `name` is its path in the folder. */
export type SiteFileProblem = { name: string; reason: string }

/** A page of the operator, such as `/rules`. */
export type SitePage = { slug: string; title: string; html: string }

export type BlogPost = SitePage & {
  description: string
  publishedAt: Date
  updatedAt: Date
}
export type BlogPostSummary = Omit<BlogPost, 'html'>
