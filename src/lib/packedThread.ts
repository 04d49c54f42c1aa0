import { type CommentView, reviveBoardDate, type ThreadPage, type ThreadView } from '#src/contract/board.ts'

/**
 * A thread page with its comments as one JSON string. With comments as objects, the serializers of Vike and tRPC visit
 * each value, which takes 130 ms for a thread with many quotes.
 */
export type PackedThread = Omit<ThreadPage, 'thread'> & { thread: Omit<ThreadView, 'comments'>; comments: string }

/**
 * Property that holds the unpacked page, so that `unpackThread` returns the same object on every render. A global symbol,
 * because the server has two bundles with a copy of this module. Not enumerable, so that serializers skip it.
 */
const UNPACKED = Symbol.for('unpackedThread')

export function packThread(page: ThreadPage): PackedThread {
  const { comments, ...thread } = page.thread
  const packed = { ...page, thread, comments: JSON.stringify(comments) }
  Object.defineProperty(packed, UNPACKED, { value: page })
  return packed
}

export function unpackThread(packed: PackedThread & { [UNPACKED]?: ThreadPage }): ThreadPage {
  if (packed[UNPACKED]) return packed[UNPACKED]
  const { thread, comments, ...page } = packed
  const value = { ...page, thread: { ...thread, comments: JSON.parse(comments, reviveBoardDate) as CommentView[] } }
  Object.defineProperty(packed, UNPACKED, { value })
  return value
}
