import type { PostSurroundings } from './postContext.ts'

/** Held posts per call. The page asks again when these are decided. */
export const HELD_POSTS_PER_CALL = 20

export const heldPostMessages = {
  notHeld: 'This post does not wait for a review any more',
  heldFor: 'The reason for which posts are held is required',
  placeGone: 'The thread or comment of this post was deleted, so it cannot be published',
  approve: 'Failed to publish the post',
  refuse: 'Failed to refuse the post',
  image: 'Failed to load the picture',
} as const

/** A post that waits for a review, as moderators see it. */
export type HeldPostView = PostSurroundings & {
  id: number
  boardId: string
  threadId: number
  parentId: number | null
  /** title of the thread; null if the thread was deleted */
  threadTitle: string | null
  author: string
  content: string
  links: string[]
  hasImage: boolean
  heldFor: string
  /** how many posts are held for the same reason on the moderator's boards, this one included */
  alike: number
  createdAt: Date
  /** when the post is published without a review; null if it waits for a moderator */
  releaseAt: Date | null
}

/** Held posts, those without a release first, oldest first. `total` counts all. */
export type HeldPosts = { posts: HeldPostView[]; total: number }

/** A picture that visitors cannot open, as a data URL. */
export type HeldImage = { url: string; width: number; height: number }
