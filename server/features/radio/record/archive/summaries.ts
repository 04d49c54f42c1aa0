import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type Broadcast, type BroadcastSummary, hasEnded, type Streamer, summarise } from '#src/contract/archive.ts'

/** A summary older than this is read again. */
const MAX_AGE_MS = 10 * 60_000
/** Limits memory; a station has fewer streamers. */
const MAX_SUMMARIES = 500
/** Limits memory: the broadcasts of a streamer in the podcast. */
const MAX_LATEST = 50
/** Limits how long a page waits for summaries that can be read at once. */
const WAIT_MS = 500

type SummariesDeps = {
  listStreamers: (stationId: number) => Promise<Streamer[]>
  /** must pass its result to `record` */
  listBroadcasts: (stationId: number, streamerId: number) => Promise<Broadcast[]>
  /** pause between two requests, so that a page with many streamers does not exhaust the radio service's rate limit */
  pauseMs: number
  now: () => Date
}

/** Summarises streamers' broadcasts for the archive's list. Reads old summaries one after the other. */
export function createSummaries({ listStreamers, listBroadcasts, pauseMs, now }: SummariesDeps) {
  const summaries = new LRUCache<string, { summary: BroadcastSummary; latest: Broadcast[]; at: number }>({
    max: MAX_SUMMARIES,
  })
  const closing = new AbortController()
  let refreshing: Promise<void> | null = null
  const time = () => now().getTime()
  const keyOf = (stationId: number, streamerId: number) => `${stationId}/${streamerId}`
  const isOld = (key: string) => time() - (summaries.get(key)?.at ?? Number.NEGATIVE_INFINITY) > MAX_AGE_MS

  async function refresh(stationId: number): Promise<void> {
    for (const { id } of await listStreamers(stationId)) {
      if (closing.signal.aborted) return
      if (!isOld(keyOf(stationId, id))) continue
      await listBroadcasts(stationId, id)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false, signal: closing.signal })
    }
  }

  /** Begins to read old summaries, and waits for them if that does not take long. */
  async function startRefresh(stationId: number): Promise<void> {
    // A failure ends the refresh; the next page tries again.
    refreshing ??= refresh(stationId)
      .catch(() => {})
      .finally(() => {
        refreshing = null
      })
    if (pauseMs === 0) await Promise.race([refreshing, sleep(WAIT_MS, undefined, { ref: false })])
  }

  return {
    record(stationId: number, streamerId: number, broadcasts: Broadcast[]): void {
      summaries.set(keyOf(stationId, streamerId), {
        summary: summarise(broadcasts),
        latest: findLatest(broadcasts),
        at: time(),
      })
    },

    /** Returns the known summaries by the streamer's id. */
    async read(stationId: number): Promise<Record<number, BroadcastSummary>> {
      await startRefresh(stationId)
      const streamers = await listStreamers(stationId)
      return Object.fromEntries(
        streamers.flatMap(({ id }) => {
          const known = summaries.get(keyOf(stationId, id))
          return known ? [[id, known.summary]] : []
        }),
      )
    },

    /** Returns the newest recordings of the streamers that are known. */
    async readLatest(stationId: number): Promise<{ streamer: Streamer; broadcast: Broadcast }[]> {
      await startRefresh(stationId)
      return (await listStreamers(stationId)).flatMap((streamer) =>
        (summaries.get(keyOf(stationId, streamer.id))?.latest ?? []).map((broadcast) => ({ streamer, broadcast })),
      )
    },

    close: () => closing.abort(),
  }
}

const findLatest = (broadcasts: Broadcast[]): Broadcast[] =>
  broadcasts
    .filter((broadcast) => hasEnded(broadcast) && broadcast.recording !== null)
    .sort((a, b) => Date.parse(b.timestampStart) - Date.parse(a.timestampStart))
    .slice(0, MAX_LATEST)

/**
 * Ends recorded broadcasts of a streamer whose end was never written, for example because the service crashed. Only the
 * newest broadcast can still run, while its streamer is live. The end is unknown, so it is the start.
 */
export async function endBroadcasts(broadcasts: Broadcast[], isLive: () => Promise<boolean>): Promise<Broadcast[]> {
  const isOpen = ({ timestampEnd, recording }: Broadcast) => timestampEnd === null && recording !== null
  if (!broadcasts.some(isOpen)) return broadcasts
  const newest = broadcasts
    .map(({ timestampStart }) => timestampStart)
    .sort()
    .at(-1)
  const live = await isLive()
  return broadcasts.map((broadcast) => {
    const isRunning = live && broadcast.timestampStart === newest
    return isOpen(broadcast) && !isRunning ? { ...broadcast, timestampEnd: broadcast.timestampStart } : broadcast
  })
}
