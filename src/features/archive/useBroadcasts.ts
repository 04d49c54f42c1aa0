import { type Broadcast, hasEnded } from '#src/contract/archive.ts'
import { useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

const STALE_MS = 5 * 60_000
/** Treats a request as failed after this time. A reachable server always responds sooner. */
const TIMEOUT_MS = 30_000

type BroadcastsOptions = { stationId: number; streamerId: number; enabled: boolean; initialData?: Broadcast[] }

export function useBroadcasts({ stationId, streamerId, enabled, initialData }: BroadcastsOptions) {
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['broadcasts', stationId, streamerId],
    queryFn: async () => {
      const { archive } = await trpc()
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const { broadcasts, available } = await archive.broadcasts.query({ stationId, streamerId }, { signal })
      if (!available) throw new Error('Cannot load the broadcasts: the radio does not answer')
      return broadcasts
    },
    enabled,
    initialData,
    staleTime: STALE_MS,
  })
  return { data: data?.filter(hasEnded), isFetching, refetch }
}

export type BroadcastsQuery = ReturnType<typeof useBroadcasts>

export type OwnRecording = Broadcast & { isHidden: boolean }
