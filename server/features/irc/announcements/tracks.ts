import { setTimeout as sleep } from 'node:timers/promises'
import { desc, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createKeyedThrottle } from '#server/core/limits/keyedThrottle.ts'
import { cleanAndCut } from '#server/features/irc/cleanText.ts'
import { ircLimits, ircTexts } from '#server/features/irc/texts.ts'
import { toTrackKey } from '#server/features/radio/input/titles.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { type NowPlaying, UNKNOWN_SONG } from '#src/contract/radio.ts'
import type { AnnouncerDeps, OnChange } from './announcer.ts'

/** A track that ended is not announced again within this time: the result of a poll can be older than the last title. */
const ENDED_MS = 60_000
const MAX_ENDED = 20

type Deps = AnnouncerDeps & {
  channels: string[]
  /** minimum time between two tracks in a channel */
  intervalMs: number
  say: (channel: string, text: string) => void
}

type Track = { key: string; text: string }

/**
 * Announces tracks. Tracks that follow too soon wait, and the newest of them is announced. The first track after the
 * start is not announced: it may have played for long.
 */
export function createTrackAnnouncer({ services, channels, intervalMs, say, schedule, clock }: Deps) {
  /** the last track of each channel */
  const said = new Map<string, string>()
  const throttle = createKeyedThrottle<string, Track>(intervalMs, (channel, { key, text }) => {
    if (said.get(channel) === key) return
    said.set(channel, key)
    say(channel, text)
  })
  const ended = new LRUCache<string, true>({ max: MAX_ENDED, ttl: ENDED_MS, ttlResolution: 0, perf: { now: clock } })
  let latest: Track | null = null

  function setTrack(artist: string, title: string, streamer: string | null): void {
    const track = describeTrack({ artist, title })
    if (!track) return
    const key = toTrackKey(track)
    if (key === latest?.key || ended.has(key)) return
    if (latest) ended.set(latest.key, true)
    const isFirst = latest === null
    latest = { key, text: ircTexts.track(track, streamer && cleanAndCut(streamer, ircLimits.name)) }
    for (const channel of channels) {
      if (isFirst) said.set(channel, key)
      else throttle.add(channel, latest)
    }
  }

  async function readTrack(broadcastId: number): Promise<void> {
    const [row] = await services.db
      .select({
        artist: broadcastTrack.artist,
        title: broadcastTrack.title,
        streamerName: broadcast.streamerName,
        endedAt: broadcast.endedAt,
      })
      .from(broadcastTrack)
      .innerJoin(broadcast, eq(broadcast.id, broadcastTrack.broadcastId))
      .where(eq(broadcastTrack.broadcastId, broadcastId))
      .orderBy(desc(broadcastTrack.seconds), desc(broadcastTrack.id))
      .limit(1)
    // Streamers edit the tracks of their recordings.
    if (row && row.endedAt === null) setTrack(row.artist, row.title, row.streamerName)
  }

  const onChange: OnChange = ({ topic, change }) => {
    if (topic === 'shows' && change.kind === 'tracks') schedule(0, () => readTrack(change.broadcastId))
  }

  return {
    onChange,
    close: throttle.close,
    onNowPlaying({ song, live }: NowPlaying): void {
      setTrack(song.artist, song.title, live.isLive && live.streamer !== '' ? live.streamer : null)
    },
  }
}

/** @returns null if the track is unknown */
export function describeTrack({ artist, title }: { artist: string; title: string }) {
  if (artist === UNKNOWN_SONG.artist && title === UNKNOWN_SONG.title) return null
  const track = { artist: cleanAndCut(artist, ircLimits.title / 2), title: cleanAndCut(title, ircLimits.title) }
  return track.title === '' ? null : track
}

/** Time until the next subscription after the event hub has ended one. */
const RETRY_MS = 5000

/** Subscribes to the current track, as a page does: the radio polls its source while it has a subscription. */
export async function followNowPlaying(
  { eventHub, radio }: Pick<Services, 'eventHub' | 'radio'>,
  onNowPlaying: (nowPlaying: NowPlaying) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const attempt = new AbortController()
    try {
      const ended = AbortSignal.any([signal, attempt.signal])
      const events = eventHub.subscribe([`radio:${STATION_ID}`], 0, '', ended)
      const first = events.next()
      // Handled below. Without this, an error before then would end the process.
      first.catch(() => {})
      // Starts the polling.
      onNowPlaying(await radio.nowPlaying(STATION_ID))
      for (let next = await first; !next.done; next = await events.next()) {
        const { change } = next.value.event
        if (change.kind === 'now-playing') onNowPlaying(change.nowPlaying)
      }
    } catch {
      // The site closes, or the radio has failed and logged it.
    } finally {
      attempt.abort()
    }
    await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
