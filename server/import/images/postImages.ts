import type { FurtherImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { type PostKind, toFurtherImage } from '#server/features/board/write/images.ts'
import type { ImportedPost, ImportedThread, ReportProblem, UsableImage } from '#server/import/types.ts'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { checkImage, storeImage } from './images.ts'

/** images that are stored concurrently */
const IMAGES_AT_ONCE = 4
const TOO_MANY = `a post has at most ${MAX_POST_IMAGES} images`

export type IllustratedPost = { post: ImportedPost; kind: PostKind }
/** The stored images of a post with their names, and the names of those that a later run may find. */
export type PostImages = { images: FurtherImage[]; names: string[]; missing: string[] }

/** Returns the posts with images. */
export const listIllustrated = (threads: Pick<ImportedThread, 'number' | 'posts'>[]): IllustratedPost[] =>
  threads.flatMap(({ number, posts }) =>
    posts.flatMap((post) => {
      if (post.images.length === 0) return []
      const kind = post.number === number ? 'thread' : post.parent === null ? 'comment' : 'reply'
      return { post, kind }
    }),
  )

/** Stores the first usable images of each post. Returns them by the numbers of the posts. */
export async function storeImages(
  ctx: Context,
  posts: IllustratedPost[],
  board: string,
  report: ReportProblem,
): Promise<Map<number, PostImages>> {
  const stored = new Map<number, PostImages>()
  await forEachConcurrently(posts, IMAGES_AT_ONCE, async ({ post: { number, images }, kind }) => {
    // The source has two posts with this number. The import keeps only the first.
    if (stored.has(number)) return
    const own: PostImages = { images: [], names: [], missing: [] }
    stored.set(number, own)
    for (const image of images) {
      const isFull = own.images.length === MAX_POST_IMAGES
      const outcome = isFull ? { refusal: TOO_MANY, mayPass: false } : await storeImage(ctx, image, kind)
      if ('refusal' in outcome) {
        // Without a folder, the command says once that all images are missing.
        if (image.location !== null) report(`/${board}/${number}`, `image ${image.name} left out: ${outcome.refusal}`)
        if (outcome.mayPass) own.missing.push(image.name)
      } else {
        own.images.push(toFurtherImage(outcome, image.place ?? own.images.length))
        own.names.push(image.name)
      }
    }
  })
  return stored
}

/** Returns the images that a dry run would store, with their sizes. */
export async function listUsableImages(
  posts: ImportedPost[],
  board: string,
  report: ReportProblem,
): Promise<UsableImage[]> {
  const usable: UsableImage[] = []
  for (const { number, images } of posts) {
    let left = MAX_POST_IMAGES
    for (const image of images.filter(({ location }) => location !== null)) {
      const checked = left === 0 ? { refusal: TOO_MANY } : await checkImage(image)
      if ('refusal' in checked) report(`/${board}/${number}`, `image ${image.name} left out: ${checked.refusal}`)
      else {
        left--
        usable.push({ image, bytes: checked.bytes })
      }
    }
  }
  return usable
}
