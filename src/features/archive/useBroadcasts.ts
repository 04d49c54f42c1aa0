import { useQuery } from '@tanstack/react-query'
import type { Broadcast } from '#src/contract/archive.ts'
import { trpc } from '#src/lib/trpc.ts'
import { hasEnded } from './format.ts'

const FRESH_MS = 5 * 60_000
/** Longer than the server ever takes: what is silent for so long was lost on the way. */
const ANSWER_MS = 30_000

type Wanted = { stationId: number; streamerId: number; enabled: boolean; initial?: Broadcast[] }

/** The ended broadcasts of a streamer, newest first, asked for when they are first wanted. */
export function useBroadcasts({ stationId, streamerId, enabled, initial }: Wanted) {
  return useQuery({
    queryKey: ['broadcasts', stationId, streamerId],
    queryFn: async ({ signal }) => {
      const late = AbortSignal.timeout(ANSWER_MS)
      const asked = trpc.archive.broadcasts.query(
        { stationId, streamerId },
        { signal: AbortSignal.any([signal, late]) },
      )
      const { broadcasts, available } = await asked
      if (!available) throw new Error('The radio gives no answer')
      return broadcasts
    },
    select: onlyEnded,
    enabled,
    initialData: initial,
    staleTime: FRESH_MS,
    retry: false,
    refetchOnWindowFocus: false,
    // without a network it fails, and says so, instead of waiting for one
    networkMode: 'always',
  })
}

const onlyEnded = (broadcasts: Broadcast[]) => broadcasts.filter(hasEnded)
