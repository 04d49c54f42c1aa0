import type { ImageView } from '#src/contract/image.ts'
import { type PostView, picturesOf } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'

export type ThreadImage = Pick<PostView, 'author' | 'spoiler'> & { postId: number; picture: ImageView }

/** Lists the images of a thread in the order of the page. */
export function listImages(thread: ThreadView): ThreadImage[] {
  const posts = [thread, ...thread.comments.flatMap((comment) => [comment, ...comment.replies])]
  return posts.flatMap((post) =>
    picturesOf(post).map((picture) => ({ postId: post.id, author: post.author, spoiler: post.spoiler, picture })),
  )
}
