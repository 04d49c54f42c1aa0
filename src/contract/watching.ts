import { z } from 'zod'
import { subscriptionForm } from './alerts.ts'
import { refusal } from './refusal.ts'

export const watchLimits = {
  /** threads that a browser follows, and that one call asks about */
  threads: 50,
  /** unread posts that a call lists per thread, the newest first */
  answers: 20,
  /** replies to own posts that a browser keeps */
  replies: 50,
  /** own posts of a browser that gets alerts about replies */
  posts: 100,
  /** a browser that has not visited the site for this time gets no more alerts */
  renewDays: 90,
  /** length of the excerpt in an alert, in characters */
  excerpt: 120,
} as const

/** The notification of an alert. A later one of the same `kind` and thread replaces it. */
export type WatchMessage = { kind: string; title: string; body: string; path: string }

export type WatchedNews = { threadId: number; title: string; excerpt: string; path: string; isReply: boolean }

export const watchMessage = ({ threadId, title, excerpt, path, isReply }: WatchedNews): WatchMessage => ({
  kind: `thread-${threadId}`,
  title: isReply ? `Reply to you: ${title}` : `New post: ${title}`,
  body: excerpt,
  path,
})

export const threadUpdateSchema = z
  .object({
    id: z.int(),
    boardId: z.string(),
    title: z.string(),
    archived: z.boolean(),
    count: z.int().describe('posts of the thread, with its opening post'),
    newestId: z.int(),
    firstUnreadId: z.int().nullable().describe('the first post after `after`; null if there is none'),
    unread: z
      .array(z.object({ id: z.int(), answers: z.array(z.int()).describe('posts that it quotes or replies to') }))
      .describe('the posts after `after`, newest first, at most 20'),
  })
  .meta({ id: 'ThreadUpdate' })
export type ThreadUpdate = z.output<typeof threadUpdateSchema>

export const threadUpdatesSchema = z.object({
  threads: z.array(threadUpdateSchema).describe('the threads that exist'),
  lastEventId: z.string(),
})
export type ThreadUpdates = z.output<typeof threadUpdatesSchema>

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
