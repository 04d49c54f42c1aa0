import { errors } from '#server/core/errors.ts'
import { mergeStreamers, type RecordingArchive } from '#server/features/radio/record/archive.ts'
import { createResponseCache, LIST_CACHE } from '#server/features/radio/responseCache.ts'
import { type RadioSource, RadioUnavailable } from '#server/features/radio/types.ts'
import {
  addSummaries,
  type Broadcast,
  type BroadcastSummary,
  isOwnRecording,
  type Streamer,
} from '#src/contract/archive.ts'
import type { NowPlaying } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createSummaries, endBroadcasts } from './summaries.ts'

type Deps = {
  source: Pick<RadioSource, 'streamers' | 'broadcasts' | 'openRecording'>
  /** null with a radio service, whose ids would be the same */
  recordings: RecordingArchive | null
  assertStation: (stationId: number) => Promise<void>
  readNowPlaying: (stationId: number) => Promise<NowPlaying>
  /** pause between two requests for summaries */
  pauseMs: number
  now: () => Date
}

/** The archive: what the source lists, and the recordings of the site, which are not cached: changes show at once. */
export function createArchiveLists({ source, recordings, assertStation, readNowPlaying, pauseMs, now }: Deps) {
  const cache = { ...LIST_CACHE, now, isOutage: (error: unknown) => error instanceof RadioUnavailable }
  const streamerLists = createResponseCache<number, Streamer[]>({ ...cache, max: 100 })
  const broadcastLists = createResponseCache<string, Broadcast[]>({ ...cache, max: 500 })
  const summaries = createSummaries({
    ...{ listStreamers: listSourceStreamers, listBroadcasts: listSourceBroadcasts, pauseMs, now },
  })

  async function listSourceStreamers(stationId: number): Promise<Streamer[]> {
    await assertStation(stationId)
    return (await streamerLists.get(stationId, () => source.streamers(stationId))).value
  }

  async function listSourceBroadcasts(stationId: number, streamerId: number): Promise<Broadcast[]> {
    const request = async () =>
      endBroadcasts(await source.broadcasts(stationId, streamerId), () => isStreamerLive(stationId, streamerId))
    const { value } = await broadcastLists.get(`${stationId}/${streamerId}`, request)
    summaries.record(stationId, streamerId, value)
    return value
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
    ]
  }

  return {
    broadcasts,
    streamers: async (stationId: number): Promise<Streamer[]> =>
      mergeStreamers(await listSourceStreamers(stationId), await listRecorded(stationId)),

    async summaries(stationId: number): Promise<Record<number, BroadcastSummary>> {
      const merged = await summaries.read(stationId)
      for (const { id, summary } of await listRecorded(stationId)) {
        merged[id] = merged[id] ? addSummaries(merged[id], summary) : summary
      }
      return merged
    },
    latestOfSite: async (stationId: number) => (await recordings?.latest(stationId)) ?? [],
    latestOfSource: summaries.readLatest,

    open: (async (ids, range, signal) => {
      const listed = await broadcasts(ids.stationId, ids.streamerId)
      if (!listed.some(({ id }) => id === ids.broadcastId)) throw errors.notFound(refusal('archive.notFound'))
      if (recordings && isOwnRecording(ids.broadcastId)) return recordings.open(ids.broadcastId, range, signal)
      return source.openRecording(ids, range, signal)
    }) satisfies RadioSource['openRecording'],

    close: summaries.close,
  }
}
