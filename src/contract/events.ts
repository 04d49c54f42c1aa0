import { z } from 'zod'
import type { PostView } from './board.ts'
import type { RadioTopic, StoredTopic, Topic } from './eventTopics.ts'
import type { NowPlaying } from './radio.ts'

export { isRadioTopic, type RadioTopic, type StoredTopic, type Topic } from './eventTopics.ts'

/** A change as it is written down; small, for it goes through the database's notifications. */
export type Change =
  | { kind: 'boards' }
  | { kind: 'board-gone'; boardId: string }
  /** a thread was made or bumped, lost posts, or others quote its posts in another way */
  | { kind: 'thread'; threadId: number }
  | { kind: 'thread-gone'; threadId: number }
  /** a post was written, or what quotes it changed */
  | { kind: 'post'; postId: number }
  | { kind: 'post-gone'; postId: number; parentId: number | null }
  /** a program was added, edited or deleted */
  | { kind: 'programs' }
  /** articles came, went or look different */
  | { kind: 'news' }
  /** more was missed than is kept: read the page's data anew */
  | { kind: 'stale' }

export type NowPlayingChange = { kind: 'now-playing'; nowPlaying: NowPlaying }

/** A post as it stands now, with the counts of its thread. */
export type LivePost = {
  parentId: number | null
  view: PostView
  commentCount: number
  replyCount: number
  lastActivity: Date
}

/** A change as it reaches a page; `post` is missing when it is gone again already. */
export type StoredEvent = { topic: StoredTopic; change: Change; post?: LivePost }
export type RadioEvent = { topic: RadioTopic; change: NowPlayingChange; post?: undefined }
export type LiveEvent = StoredEvent | RadioEvent

const topic = z
  .string()
  .regex(/^(boards|programs|news|board:[a-z0-9-]{1,40}|thread:\d{1,15}|radio:\d{1,15})$/)
  .transform((value) => value as Topic)

export const eventsInput = z.object({
  topics: z.array(topic).min(1).max(4),
  /** the last event the page has seen; a reconnecting browser names it too */
  lastEventId: z.coerce
    .string()
    .regex(/^\d{1,18}$/)
    .catch('0')
    .default('0'),
})
