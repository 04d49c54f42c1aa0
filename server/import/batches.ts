import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import type { ImportedPost, ImportedThread } from './types.ts'

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
    // A thread that fits into a batch stays whole: otherwise the next batch would change it again.
    const isFull = size.posts + part.posts.length > limit.posts || size.images >= limit.images
    if (batch.size > 0 && (isFull || board !== part.board || batch.has(part.number))) {
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

const countPostImages = ({ images }: ImportedPost) =>
  Math.min(images.filter(({ location }) => location !== null).length, MAX_POST_IMAGES)
