import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { BoardView } from '#src/contract/board.ts'
import { useLive } from '#src/lib/live.ts'
import { trpc } from '#src/lib/trpc.ts'

const WAIT_MS = 500

/** The boards, following what is made and deleted. */
export function useBoards({ boards: initial, lastEventId }: { boards: BoardView[]; lastEventId: string }) {
  const client = useQueryClient()
  const queryKey = ['boards', lastEventId]
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { data: boards, refetch } = useQuery({
    queryKey,
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    // what was gathered here does not outlive the page
    gcTime: 0,
    retry: false,
    queryFn: async () => (await trpc.board.list.query()).boards,
  })
  const change = (update: (boards: BoardView[]) => BoardView[]) =>
    client.setQueryData<BoardView[]>(queryKey, (known) => known && update(known))

  function refetchSoon() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refetch(), WAIT_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useLive({ topics: ['boards'], lastEventId, onEvent: refetchSoon, onStale: refetchSoon })

  return {
    boards,
    append: (made: BoardView) => change((known) => [...known.filter((board) => board.id !== made.id), made]),
    remove: (boardId: string) => change((known) => known.filter((board) => board.id !== boardId)),
  }
}
