import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import type { ImportedPost, ImportedThread } from './types.ts'

/** posts in memory until their threads' parts are passed on */
const MAX_POSTS = 2000

type Head = Omit<ImportedThread, 'posts'>

/** Collects posts that arrive by number, and yields them as parts of their threads. */
export async function* groupPosts(
  posts: AsyncIterable<{ head: Head; post: ImportedPost }>,
): AsyncGenerator<ImportedThread> {
  let parts = new Map<string, ImportedThread>()
  let count = 0
  for await (const { head, post } of posts) {
    const key = `${head.board} ${head.number}`
    const part = parts.get(key) ?? { ...head, posts: [] }
    parts.set(key, part)
    part.posts.push(post)
    // Only the row of the opening post knows the state of the thread.
    if (post.number === head.number) Object.assign(part, head)
    if (++count < MAX_POSTS) continue
    yield* sorted(parts)
    parts = new Map()
    count = 0
  }
  yield* sorted(parts)
}

function sorted(parts: Map<string, ImportedThread>): ImportedThread[] {
  for (const { posts } of parts.values()) posts.sort((a, b) => a.number - b.number)
  return [...parts.values()]
}

/** Splits long parts, because each is imported in one transaction. */
export async function* splitParts(
  parts: AsyncIterable<ImportedThread>,
  limit: { posts: number; images: number },
): AsyncGenerator<ImportedThread> {
  for await (const part of parts) {
    let posts: ImportedPost[] = []
    let images = 0
    for (const post of part.posts) {
      if (posts.length >= limit.posts || images >= limit.images) {
        yield { ...part, posts }
        posts = []
        images = 0
      }
      posts.push(post)
      images += countPostImages(post)
    }
    yield { ...part, posts }
  }
}

export const countPostImages = ({ images }: ImportedPost) => Math.min(images.length, MAX_POST_IMAGES)
