import type { PostView, ThreadView } from '#src/contract/board.ts'
import type { ImageView } from '#src/contract/image.ts'

export type ThreadImage = Pick<PostView, 'author' | 'spoiler'> & { postId: number; picture: ImageView }

/** Lists the images of a thread in the order of the page. */
export function listImages(thread: ThreadView): ThreadImage[] {
  const posts = [thread, ...thread.comments.flatMap((comment) => [comment, ...comment.replies])]
  return posts.flatMap(({ id, author, spoiler, picture }) =>
    picture ? [{ postId: id, author, spoiler, picture }] : [],
  )
}
