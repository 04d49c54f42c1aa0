import { type CommentView, reviveBoardDate, type ThreadPage, type ThreadView } from '#src/contract/board.ts'

/**
 * A thread page with its comments as one JSON string. With comments as objects, the serializers of Vike and tRPC visit
 * each value, which takes 130 ms for a thread with many quotes.
 */
export type PackedThread = Omit<ThreadPage, 'thread'> & { thread: Omit<ThreadView, 'comments'>; comments: string }

/** Caches results, so that `unpackThread` returns the same object on every render. */
const unpackedThreads = new WeakMap<PackedThread, ThreadPage>()

export function packThread(page: ThreadPage): PackedThread {
  const { comments, ...thread } = page.thread
  const packed = { ...page, thread, comments: JSON.stringify(comments) }
  unpackedThreads.set(packed, page)
  return packed
}

export function unpackThread(packed: PackedThread): ThreadPage {
  const known = unpackedThreads.get(packed)
  if (known) return known
  const { thread, comments, ...page } = packed
  const unpacked = { ...page, thread: { ...thread, comments: JSON.parse(comments, reviveBoardDate) as CommentView[] } }
  unpackedThreads.set(packed, unpacked)
  return unpacked
}
