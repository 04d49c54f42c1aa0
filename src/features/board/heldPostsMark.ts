import { createStore } from '#src/lib/store.ts'

/** Local storage key of this browser's posts that wait for a review. */
export const HELD_POSTS_KEY = 'dtpchan_held_posts'

/** Whether this browser has posts that wait for a review. Pages then load `HeldPostList`. */
export const hasHeldPosts = createStore(false)
