import type { PageContextServer } from 'vike/types'
import { readOrNull } from '#pages/readOrNull.ts'

export type Data = Awaited<ReturnType<typeof data>>

const ARTICLES = 3
const TIMEOUT_MS = 2000

export async function data({ api }: PageContextServer) {
  const posts = await api.site.blogPosts()
  if (posts.length > 0) return { posts, articles: [], isIncomplete: false }
  const articles = await readOrNull(api.news.latest({ count: ARTICLES }), TIMEOUT_MS)
  // The cache does not store a page without its articles.
  return { posts, articles: articles ?? [], isIncomplete: articles === null }
}
