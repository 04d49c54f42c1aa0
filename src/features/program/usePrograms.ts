import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ProgramView } from '#src/contract/program.ts'
import { useLive } from '#src/lib/live.ts'
import { trpc } from '#src/lib/trpc.ts'

const WAIT_MS = 500

/** The programs, following what is added, edited and deleted elsewhere. */
export function usePrograms({ programs: initial, lastEventId }: { programs: ProgramView[]; lastEventId: string }) {
  const client = useQueryClient()
  const queryKey = ['programs', lastEventId]
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { data: programs, refetch } = useQuery({
    queryKey,
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    // what was gathered here does not outlive the page
    gcTime: 0,
    retry: false,
    queryFn: async () => (await trpc.program.list.query()).programs,
  })
  const change = (update: (programs: ProgramView[]) => ProgramView[]) =>
    client.setQueryData<ProgramView[]>(queryKey, (known) => known && update(known))

  function refetchSoon() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refetch(), WAIT_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useLive({ topics: ['programs'], lastEventId, onEvent: refetchSoon, onStale: refetchSoon })

  return {
    programs,
    append: (made: ProgramView) => change((known) => [...known.filter(({ id }) => id !== made.id), made]),
    replace: (edited: ProgramView) => change((known) => known.map((one) => (one.id === edited.id ? edited : one))),
    remove: (id: number) => change((known) => known.filter((one) => one.id !== id)),
    /** A program as it stands now; undefined when it is gone. */
    reread: async (id: number) => (await refetch()).data?.find((one) => one.id === id),
  }
}
