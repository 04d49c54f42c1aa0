export type { HeldImage, HeldPosts, HeldPostView } from './heldPostAnswers.ts'

/** Held posts per call. The page asks again when these are decided. */
export const HELD_POSTS_PER_CALL = 20
