import { useEffect, useMemo, useState } from 'react'
import type { Broadcast } from '#src/contract/archive.ts'
import { trpc } from '#src/lib/trpc.ts'
import { type EndedBroadcast, hasEnded } from './format.ts'

const FRESH_MS = 5 * 60_000
/** Longer than the server ever takes: what is silent for so long was lost on the way. */
const ANSWER_MS = 30_000

type Wanted = { stationId: number; streamerId: number; enabled: boolean; initial?: Broadcast[] }

/** The broadcasts of a streamer: undefined while they are not there, because they are fetched or that failed. */
export type Fetched = { data: EndedBroadcast[] | undefined; isFetching: boolean; refetch: () => Promise<void> }

/** What was fetched a moment ago is not asked for again when the page is left and comes back. */
const fetchedLately = new Map<string, { at: number; broadcasts: Broadcast[] }>()

/** The ended broadcasts of a streamer, newest first, asked for when they are first wanted. */
export function useBroadcasts({ stationId, streamerId, enabled, initial }: Wanted): Fetched {
  const [broadcasts, setBroadcasts] = useState(initial)
  const [failed, setFailed] = useState(false)

  async function refetch() {
    setFailed(false)
    try {
      setBroadcasts(await ask(stationId, streamerId))
    } catch {
      // the list says so, and offers to ask again
      setFailed(true)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: they are asked for when they are first wanted
  useEffect(() => {
    if (enabled && !broadcasts) void refetch()
  }, [enabled])

  const data = useMemo(() => broadcasts?.filter(hasEnded), [broadcasts])
  return { data, isFetching: enabled && !broadcasts && !failed, refetch }
}

async function ask(stationId: number, streamerId: number): Promise<Broadcast[]> {
  const name = `${stationId}/${streamerId}`
  const known = fetchedLately.get(name)
  if (known && Date.now() - known.at < FRESH_MS) return known.broadcasts
  const { archive } = await trpc()
  const signal = AbortSignal.timeout(ANSWER_MS)
  const { broadcasts, available } = await archive.broadcasts.query({ stationId, streamerId }, { signal })
  if (!available) throw new Error('The radio gives no answer')
  fetchedLately.set(name, { at: Date.now(), broadcasts })
  return broadcasts
}
