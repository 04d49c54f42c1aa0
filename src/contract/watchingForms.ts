import { z } from 'zod'
import { subscriptionForm } from './alertForms.ts'
import { watchLimits, watchMessages } from './watching.ts'

/** The longest list: fifty pairs of numbers with 15 digits. */
const MAX_LENGTH = watchLimits.threads * 32

const followedThread = z
  .string()
  .regex(/^[1-9]\d{0,14}(:\d{1,15})?$/, watchMessages.threads)
  .transform((text) => {
    const [id = '', after = '0'] = text.split(':')
    return { id: Number(id), after: Number(after) }
  })

export const threadUpdatesParams = z.object({
  threads: z
    .string(watchMessages.threads)
    .max(MAX_LENGTH, watchMessages.threads)
    .transform((text) => text.split(','))
    .pipe(z.array(followedThread).max(watchLimits.threads, watchMessages.threads))
    .describe('threads with the newest post that the reader has seen, as `id:after`, separated by commas, at most 50'),
})

const postId = z.int(watchMessages.followed).min(0, watchMessages.followed)

/** A browser's subscription, and all that it watches. */
export const watcherForm = subscriptionForm.extend({
  threads: z
    .array(
      z.object({ id: postId, readId: postId, isWatched: z.boolean(watchMessages.followed) }),
      watchMessages.followed,
    )
    .max(watchLimits.threads, watchMessages.followed),
  posts: z.array(postId, watchMessages.followed).max(watchLimits.posts, watchMessages.followed),
})
