import type { PageContextServer } from 'vike/types'
import { readOrNull } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

const SUGGESTIONS = 3
const TIMEOUT_MS = 2000

export async function data({ api }: PageContextServer) {
  const posts = await api.site.blogPosts()
  if (posts.length > 0) return { posts, articles: [], threads: [], isIncomplete: false }
  const articles = await readOrNull(api.news.latest({ count: SUGGESTIONS }), TIMEOUT_MS)
  const threads = articles?.length ? [] : await readOrNull(api.board.latest({ count: SUGGESTIONS }), TIMEOUT_MS)
  // The cache does not store a page without its suggestions.
  const isIncomplete = articles === null || threads === null
  return { posts, articles: articles ?? [], threads: threads ?? [], isIncomplete }
}
