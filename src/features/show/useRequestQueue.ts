import type { RequestQueue } from '#src/contract/songRequest.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { useEvents } from '#src/lib/useEvents.ts'

export type LoadedQueue = RequestQueue & { lastEventId: string }

/** Keeps the queue current. The start and the end of a broadcast change it, too. */
export function useRequestQueue({ lastEventId, ...initialData }: LoadedQueue) {
  const { data, refetch } = usePageQuery<RequestQueue>({
    queryKey: ['song-requests', lastEventId],
    queryFn: async () => (await trpc()).songRequest.list.query(),
    initialData,
  })
  useEvents({
    topics: ['shows'],
    lastEventId,
    onEvent: ({ change }, refetchSoon) => {
      if (change.kind === 'requests' || change.kind === 'broadcast') refetchSoon()
    },
    refetch,
  })
  return { queue: data, refetch }
}
