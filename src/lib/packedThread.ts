import type { LinkCard } from '#src/contract/links.ts'
import type { CommentView } from '#src/contract/post.ts'
import type { ThreadPage, ThreadView } from '#src/contract/thread.ts'

type DateField<T> = T extends unknown ? { [Field in keyof T]-?: T[Field] extends Date ? Field : never }[keyof T] : never
const dateFields: Record<DateField<ThreadView | LinkCard>, true> = {
  createdAt: true,
  lastActivity: true,
  expiresAt: true,
  startedAt: true,
}

/** Restores dates of posts in JSON.parse. The type of `dateFields` makes sure that no date field is missing. */
const revivePostDate = (key: string, value: unknown): unknown =>
  Object.hasOwn(dateFields, key) ? new Date(value as string) : value

/**
 * A thread with its comments as one JSON string. With comments as objects, tRPC's serializer visits each value, which takes
 * 130 ms for a thread with many quotes.
 */
export type PackedThread = Omit<ThreadPage, 'thread'> & { thread: Omit<ThreadView, 'comments'>; comments: string }

/** Property that holds the unpacked page. Not enumerable, so that serializers skip it. */
const UNPACKED = Symbol('unpacked thread')

export function packThread(page: ThreadPage): PackedThread {
  const { comments, ...thread } = page.thread
  const packed = { ...page, thread, comments: JSON.stringify(comments) }
  Object.defineProperty(packed, UNPACKED, { value: page })
  return packed
}

export function unpackThread(packed: PackedThread & { [UNPACKED]?: ThreadPage }): ThreadPage {
  if (packed[UNPACKED]) return packed[UNPACKED]
  const { thread, comments: text, ...page } = packed
  const comments = JSON.parse(text, revivePostDate) as CommentView[]
  const value = { ...page, thread: { ...thread, comments } }
  Object.defineProperty(packed, UNPACKED, { value })
  return value
}
