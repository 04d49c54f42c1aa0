export type { HeldImage, HeldPosts, HeldPostView } from './heldPostAnswers.ts'

/** Held posts per call. The page asks again when these are decided. */
export const HELD_POSTS_PER_CALL = 20

export const heldPostMessages = {
  notHeld: 'This post does not wait for a review any more',
  imageNumber: 'number must be the number of an image, from 1',
  heldFor: 'The reason for which posts are held is required',
  placeGone: 'The thread or comment of this post was deleted, so it cannot be published',
} as const
