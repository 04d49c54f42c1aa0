import { z } from 'zod'
import type { AlertKind } from './alerts.ts'
import { languages } from './languages.ts'
import type { PostView } from './post.ts'
import type { NowPlaying } from './radio.ts'
import type { SiteSwitch } from './switches.ts'
import type { ThreadCounts } from './thread.ts'

/** Topics that pages can follow, besides those of a board, a thread, a station and a queue. */
const PAGE_TOPICS = ['site', 'boards', 'programs', 'news', 'shows', 'log'] as const

/** Events of these topics are stored, so that missed events can be replayed. */
export type StoredTopic =
  | (typeof PAGE_TOPICS)[number]
  | `board:${string}`
  | `thread:${number}`
  | 'streamers'
  | 'moderation'
/** Radio events are not stored, because only the latest event per station matters. */
export type RadioTopic = `radio:${number}`
/** Changes of the moderators' queue. Only moderators get to know the topic's name. */
export type QueueTopic = `queue:${string}`
export type Topic = StoredTopic | RadioTopic | QueueTopic

/** One connection carries the topics of the page, the player and ten watched threads. Limits the server's work for it. */
const MAX_TOPICS = 16

export const isRadioTopic = (topic: Topic): topic is RadioTopic => topic.startsWith('radio:')
export const isQueueTopic = (topic: Topic): topic is QueueTopic => topic.startsWith('queue:')

/** A stored change. It must be small, because it is sent in a database notification. */
export type Change =
  | { kind: 'boards' }
  | { kind: 'board-gone'; boardId: string }
  /** a thread was created, bumped, locked or pinned, or posts in it were deleted or changed */
  | { kind: 'thread'; threadId: number }
  /** a thread was deleted; for its board, also if it was archived */
  | { kind: 'thread-gone'; threadId: number }
  /** a thread is on another board now */
  | { kind: 'thread-moved'; threadId: number; boardId: string }
  /** a post was created or removed, its image or quotes changed, or its thread was locked, pinned or archived */
  | { kind: 'post'; postId: number }
  | { kind: 'programs' }
  /** something was taken down: no process may send older versions of the pages. Pages in browsers ignore it */
  | { kind: 'erased' }
  /** articles were added, deleted or visibly changed */
  | { kind: 'news' }
  /** the schedule changed */
  | { kind: 'schedule' }
  /** a broadcast began or ended, or its recording, thread or visibility changed */
  | { kind: 'broadcast'; broadcastId: number }
  /** the tracks of a broadcast changed, or the next one plays */
  | { kind: 'tracks'; broadcastId: number }
  /** listeners requested a song, or a request was played or skipped */
  | { kind: 'requests' }
  | ModerationChange
  /** a streaming account was disabled, removed or got a new password. Browsers cannot subscribe to it */
  | { kind: 'streamer'; userId: string }
  | AlertChange
  | QueueChange
  /** the moderation log has a new entry, or an entry was undone */
  | { kind: 'log' }
  /** the switches that all visitors should know of; empty if there is none */
  | { kind: 'notice'; switches: SiteSwitch[] }
  /** the page missed events that are no longer stored, and must reload its data */
  | { kind: 'stale' }

/** Tells the other processes to reload what they check on every write. Browsers cannot subscribe to these changes. */
export type ModerationChange = { kind: 'bans' | 'filters' | 'blocked-images' | 'switches' }

/** Moderators were alerted. Contains no content; `boardId` is null for the whole site. Browsers cannot subscribe to it. */
export type AlertChange = { kind: 'alert'; alert: AlertKind; boardId: string | null; count: number }

/** Something came into the moderators' queue, or left it. Browsers of moderators learn no more than that. */
export type QueueChange = { kind: 'queue' }

export type NowPlayingChange = { kind: 'now-playing'; nowPlaying: NowPlaying }

export type EventPost = ThreadCounts & {
  boardId: string
  threadId: number
  title: string
  parentId: number | null
  view: PostView
}

/** A post as an open page receives it: instead of its fields, the HTML of the server. */
export type ShownPost = Omit<EventPost, 'view'> & { view: Pick<PostView, 'id' | 'author' | 'quotes'>; html: string }
/** An event for which a page asked with `html`. */
export type PageEvent = (Omit<StoredEvent, 'post'> & { post?: ShownPost }) | RadioEvent

/** An event as a page receives it. `post` is missing if the post is not shown any more. */
export type StoredEvent = { topic: StoredTopic; change: Change; post?: EventPost }
export type RadioEvent = { topic: RadioTopic; change: NowPlayingChange; post?: undefined }
export type QueueEvent = { topic: QueueTopic; change: QueueChange; post?: undefined }
export type SiteEvent = StoredEvent | RadioEvent | QueueEvent

const NUMBERED = /^(board:[a-z0-9-]{1,40}|thread:\d{1,15}|radio:\d{1,15}|queue:[0-9a-f]{64})$/
const topic = z
  .string()
  .refine((value) => (PAGE_TOPICS as readonly string[]).includes(value) || NUMBERED.test(value))
  .transform((value) => value as Topic)

export const eventsInput = z.object({
  topics: z.array(topic).min(1).max(MAX_TOPICS),
  /** answers the HTML of posts in this language instead of their fields (`ShownPost`) */
  html: z.enum(languages).optional(),
  /** id of the last event that the page received; browsers send it again when they reconnect */
  lastEventId: z.coerce
    .string()
    .regex(/^\d{1,18}$/)
    .catch('0')
    .default('0'),
})
