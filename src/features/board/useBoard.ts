import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { useEffect, useRef, useState } from 'react'
import { useLive } from '#src/lib/live.ts'
import { trpc } from '#src/lib/trpc.ts'
import { mergeList, type ShownList, showWaiting, type ThreadList, withoutThread } from './merge.ts'

/** A busy board changes often: its page reads it anew once for many changes, and not all pages at the same moment. */
const delay = () => 500 + Math.random() * 1000

/** A page of a board that follows what happens on it. `gone`: the board was deleted while it was shown. */
export function useBoard(initial: ThreadList, cursor: string | undefined) {
  const client = useQueryClient()
  const boardId = initial.board.id
  const queryKey = ['board', boardId, cursor ?? '', initial.lastEventId]
  const [gone, setGone] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const { data, refetch } = useQuery({
    queryKey,
    initialData: { ...initial, waiting: [] },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async (): Promise<ShownList> => {
      try {
        const read = await trpc.board.threads.query({ boardId, cursor })
        const shown = client.getQueryData<ShownList>(queryKey)
        return shown ? mergeList(shown, read, cursor === undefined) : { ...read, waiting: [] }
      } catch (error) {
        if (error instanceof TRPCClientError && error.data?.code === 'NOT_FOUND') setGone(true)
        throw error
      }
    },
  })
  const change = (update: (shown: ShownList) => ShownList) =>
    client.setQueryData<ShownList>(queryKey, (shown) => shown && update(shown))

  function refetchSoon() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refetch(), delay())
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useLive({
    topics: [`board:${boardId}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: ({ change: made }) => {
      if (made.kind === 'board-gone' && made.boardId === boardId) setGone(true)
      else if (made.kind === 'thread-gone') change((shown) => withoutThread(shown, made.threadId))
      else if (made.kind === 'thread') refetchSoon()
    },
    onStale: () => void refetch(),
  })

  return {
    ...data,
    gone,
    showWaiting: () => change(showWaiting),
    remove: (threadId: number) => change((shown) => withoutThread(shown, threadId)),
    /** After a post of one's own nothing waits. */
    reload: async () => {
      await refetch()
      change(showWaiting)
    },
  }
}
