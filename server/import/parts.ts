import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { giveWay } from './giveWay.ts'
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
    await giveWay()
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

/**
 * Collects parts of threads of one board, each thread once: a later part continues after the posts of the earlier one.
 * @param limit of a batch; the caller may change it
 */
export async function* splitBatches(
  parts: AsyncIterable<ImportedThread>,
  limit: { posts: number; images: number },
): AsyncGenerator<ImportedThread[]> {
  let batch = new Map<number, ImportedThread>()
  let size = { posts: 0, images: 0 }
  let board = ''
  for await (const part of parts) {
    if (batch.size > 0 && (board !== part.board || batch.has(part.number))) {
      yield [...batch.values()]
      batch = new Map()
      size = { posts: 0, images: 0 }
    }
    board = part.board
    // A part without posts counts too: `--update` may have to lock or pin its thread.
    batch.set(part.number, { ...part, posts: [] })
    for (const post of part.posts) {
      if (size.posts >= limit.posts || size.images >= limit.images) {
        yield [...batch.values()]
        batch = new Map([[part.number, { ...part, posts: [] }]])
        size = { posts: 0, images: 0 }
      }
      batch.get(part.number)?.posts.push(post)
      size.posts++
      size.images += countPostImages(post)
    }
  }
  if (batch.size > 0) yield [...batch.values()]
}

const countPostImages = ({ images }: ImportedPost) => Math.min(images.length, MAX_POST_IMAGES)
