import { z } from 'zod'
import { subscriptionForm } from './alertForms.ts'
import { refusal } from './refusal.ts'
import { watchLimits } from './watching.ts'

/** The longest list: fifty pairs of numbers with 15 digits. */
const MAX_LENGTH = watchLimits.threads * 32

const followedThread = z
  .string()
  .regex(/^[1-9]\d{0,14}(:\d{1,15})?$/, refusal('board.watchThreads'))
  .transform((text) => {
    const [id = '', after = '0'] = text.split(':')
    return { id: Number(id), after: Number(after) }
  })

export const threadUpdatesParams = z.object({
  threads: z
    .string(refusal('board.watchThreads'))
    .max(MAX_LENGTH, refusal('board.watchThreads'))
    .transform((text) => text.split(','))
    .pipe(z.array(followedThread).max(watchLimits.threads, refusal('board.watchThreads')))
    .describe('threads with the newest post that the reader has seen, as `id:after`, separated by commas, at most 50'),
})

const postId = z.int(refusal('board.watchFollowed')).min(0, refusal('board.watchFollowed'))

/** A browser's subscription, and all that it watches. */
export const watcherForm = subscriptionForm.extend({
  threads: z
    .array(
      z.object({ id: postId, readId: postId, isWatched: z.boolean(refusal('board.watchFollowed')) }),
      refusal('board.watchFollowed'),
    )
    .max(watchLimits.threads, refusal('board.watchFollowed')),
  posts: z.array(postId, refusal('board.watchFollowed')).max(watchLimits.posts, refusal('board.watchFollowed')),
})
