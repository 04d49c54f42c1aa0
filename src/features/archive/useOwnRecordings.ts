import type { Broadcast } from '#src/contract/archive.ts'
import { useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

export type OwnRecording = Broadcast & { isHidden: boolean }

type Options = { stationId: number; streamerId: number; enabled: boolean }

/** Loads the recordings of a streamer that the logged-in user may change. A guest gets none. */
export function useOwnRecordings({ stationId, streamerId, enabled }: Options) {
  const { data = [], refetch } = useQuery<OwnRecording[]>({
    queryKey: ['private', 'recordings', stationId, streamerId],
    queryFn: async () => (await trpc()).recording.own.query({ stationId, streamerId }),
    enabled,
    gcTime: 0,
  })
  return { own: enabled ? data : [], refetch }
}
