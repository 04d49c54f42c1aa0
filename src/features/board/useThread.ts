import { useCallback, useRef, useState } from 'react'
import type { ThreadPage, ThreadView } from '#src/contract/board.ts'
import type { LiveEvent } from '#src/contract/live.ts'
import { useLive } from '#src/lib/live.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import { useShown } from '#src/lib/shown.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { mergeEvent, removePost } from './merge.ts'

/** Events kept to be put again into data that were read before them. */
const RECENT = 200

/** A thread that follows what happens to it. `gone`: it was deleted while it was shown. */
export function useThread(initial: ThreadPage) {
  const boardId = initial.board.id
  const threadId = initial.thread.id
  const version = initial.lastEventId
  const recent = useRef<{ id: number; event: LiveEvent }[]>([])
  const [gone, setGone] = useState(false)

  const {
    data,
    change: changePage,
    reread,
  } = useShown({
    key: [`thread ${threadId}`, version],
    initial,
    read: async (): Promise<ThreadPage> => {
      try {
        const read = unpackThread(await (await trpc()).board.thread.query({ boardId, threadId: String(threadId) }))
        const later = recent.current.filter(({ id }) => id > Number(read.lastEventId))
        return { ...read, thread: later.reduce((thread, { event }) => mergeEvent(thread, event), read.thread) }
      } catch (error) {
        if (errorCode(error) === 'NOT_FOUND') setGone(true)
        throw error
      }
    },
    merge: (_shown, read) => read,
  })
  const change = useCallback(
    (update: (thread: ThreadView) => ThreadView) => changePage((page) => ({ ...page, thread: update(page.thread) })),
    [changePage],
  )

  useLive({
    topics: [`thread:${threadId}`, 'boards'],
    lastEventId: version,
    onEvent: (event, id) => {
      if (event.change.kind === 'thread-gone') setGone(true)
      if (event.change.kind === 'board-gone' && event.change.boardId === boardId) setGone(true)
      if (event.topic === 'boards') return
      recent.current = [...recent.current, { id, event }].slice(-RECENT)
      change((thread) => mergeEvent(thread, event))
    },
    onStale: () => void reread(),
  })

  return {
    board: data.board,
    thread: data.thread,
    gone,
    reread,
    remove: useCallback((postId: number) => change((thread) => removePost(thread, postId)), [change]),
  }
}
