import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '#server/core/errors.ts'
import { mergeStreamers, type RecordingArchive } from '#server/features/radio/record/archive.ts'
import { createResponseCache } from '#server/features/radio/responseCache.ts'
import type { RadioSource } from '#server/features/radio/types.ts'
import {
  addSummaries,
  type Broadcast,
  type BroadcastSummary,
  hasEnded,
  type Streamer,
  summarise,
} from '#src/contract/archive.ts'
import type { NowPlaying } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'

/** A list older than this is read again for summaries and the podcast. */
const MAX_AGE_MS = 10 * 60_000
/** Limits how long a page waits for lists that can be read at once. */
const WAIT_MS = 500
/** The broadcasts of a streamer in the podcast. */
const MAX_LATEST = 50

type Deps = {
  source: Pick<RadioSource, 'streamers' | 'broadcasts'>
  /** null with a radio service, whose ids would be the same */
  recordings: RecordingArchive | null
  assertStation: (stationId: number) => Promise<void>
  readNowPlaying: (stationId: number) => Promise<NowPlaying>
  /** pause between two requests, so that many streamers do not exhaust the service's rate limit */
  pauseMs: number
  now: () => Date
}

/** The archive: what the source lists, and the recordings of the site, which are not cached: changes show at once. */
export function createArchiveLists({ source, recordings, assertStation, readNowPlaying, pauseMs, now }: Deps) {
  const streamerLists = createResponseCache<number, Streamer[]>({ now, keepsGood: true, max: 100 })
  const broadcastLists = createResponseCache<string, Broadcast[]>({ now, keepsGood: true, max: 500 })
  const closing = new AbortController()
  let refreshing: Promise<void> | null = null
  const keyOf = (stationId: number, streamerId: number) => `${stationId}/${streamerId}`

  async function listSourceStreamers(stationId: number): Promise<Streamer[]> {
    await assertStation(stationId)
    return (await streamerLists.get(stationId, () => source.streamers(stationId))).value
  }

  async function listSourceBroadcasts(stationId: number, streamerId: number): Promise<Broadcast[]> {
    const request = async () =>
      endBroadcasts(await source.broadcasts(stationId, streamerId), () => isStreamerLive(stationId, streamerId))
    return (await broadcastLists.get(keyOf(stationId, streamerId), request)).value
  }

  async function refreshLists(stationId: number): Promise<void> {
    for (const { id } of await listSourceStreamers(stationId)) {
      if (closing.signal.aborted) return
      const { at = Number.NEGATIVE_INFINITY } = broadcastLists.lastGood(keyOf(stationId, id)) ?? {}
      if (now().getTime() - at <= MAX_AGE_MS) continue
      await listSourceBroadcasts(stationId, id)
      if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false, signal: closing.signal })
    }
  }

  /** Returns the lists that are known. Begins to read the others, and waits for them if that does not take long. */
  async function knownLists(stationId: number): Promise<{ streamer: Streamer; broadcasts: Broadcast[] }[]> {
    // A failure ends the refresh; the next page tries again.
    refreshing ??= refreshLists(stationId)
      .catch(() => {})
      .finally(() => {
        refreshing = null
      })
    if (pauseMs === 0) await Promise.race([refreshing, sleep(WAIT_MS, undefined, { ref: false })])
    return (await listSourceStreamers(stationId)).flatMap((streamer) => {
      const known = broadcastLists.lastGood(keyOf(stationId, streamer.id))
      return known ? [{ streamer, broadcasts: known.value }] : []
    })
  }

  /** Returns true if the service does not tell, because a running broadcast must not be offered. */
  async function isStreamerLive(stationId: number, streamerId: number): Promise<boolean> {
    const { available, live } = await readNowPlaying(stationId)
    const streamer = (await listSourceStreamers(stationId)).find(({ id }) => id === streamerId)
    if (!available || !streamer) return true
    return live.isLive && [streamer.display_name, streamer.streamer_username].includes(live.streamer)
  }

  const listRecorded = async (stationId: number) => (await recordings?.streamers(stationId)) ?? []

  async function broadcasts(stationId: number, streamerId: number): Promise<Broadcast[]> {
    if (streamerId < 0) throw errors.notFound(refusal('archive.notFound'))
    const fromSource = (await listSourceStreamers(stationId)).some(({ id }) => id === streamerId)
    const streamer = (await listRecorded(stationId)).find(({ id }) => id === streamerId)
    if (!fromSource && !streamer) throw errors.notFound(refusal('archive.notFound'))
    return [
      ...((streamer && (await recordings?.broadcasts(stationId, streamer.name))) ?? []),
      ...(fromSource ? await listSourceBroadcasts(stationId, streamerId) : []),
    ].sort(newestFirst)
  }

  return {
    broadcasts,
    streamers: async (stationId: number): Promise<Streamer[]> =>
      mergeStreamers(await listSourceStreamers(stationId), await listRecorded(stationId)),

    async summaries(stationId: number): Promise<Record<number, BroadcastSummary>> {
      const lists = await knownLists(stationId)
      const merged = Object.fromEntries(lists.map(({ streamer, broadcasts }) => [streamer.id, summarise(broadcasts)]))
      for (const { id, summary } of await listRecorded(stationId)) {
        merged[id] = merged[id] ? addSummaries(merged[id], summary) : summary
      }
      return merged
    },
    latestOfSite: async (stationId: number) => (await recordings?.latest(stationId)) ?? [],
    latestOfSource: async (stationId: number) =>
      (await knownLists(stationId)).flatMap(({ streamer, broadcasts }) =>
        findLatest(broadcasts).map((broadcast) => ({ streamer, broadcast })),
      ),

    close: () => closing.abort(),
  }
}

const newestFirst = (a: Broadcast, b: Broadcast) =>
  Date.parse(b.timestampStart) - Date.parse(a.timestampStart) || b.id - a.id

const findLatest = (broadcasts: Broadcast[]): Broadcast[] =>
  broadcasts
    .filter((broadcast) => hasEnded(broadcast) && broadcast.recording !== null)
    .sort(newestFirst)
    .slice(0, MAX_LATEST)

/**
 * Ends recorded broadcasts of a streamer whose end was never written, for example because the service crashed. Only the
 * newest broadcast can still run, while its streamer is live. The end is unknown, so it is the start.
 */
async function endBroadcasts(broadcasts: Broadcast[], isLive: () => Promise<boolean>): Promise<Broadcast[]> {
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
