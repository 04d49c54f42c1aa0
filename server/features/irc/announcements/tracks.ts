import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { createKeyedThrottle } from '#server/core/limits/keyedThrottle.ts'
import { cleanAndCut } from '#server/features/irc/cleanText.ts'
import { ircLimits, ircTexts } from '#server/features/irc/texts.ts'
import { toTrackKey } from '#server/features/radio/input/titles.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { type NowPlaying, UNKNOWN_SONG } from '#src/contract/radio.ts'
import type { AnnouncerDeps } from './announcer.ts'

type Track = { key: string; text: string }

/**
 * Announces tracks. Tracks that follow too soon wait, and the newest of them is announced. The first track after the
 * start is not announced: it may have played for long.
 * @param intervalMs minimum time between two tracks
 */
export function createTrackAnnouncer({ announce }: Pick<AnnouncerDeps, 'announce'>, intervalMs: number) {
  let latest: string | null = null
  let announced: string | null = null
  const throttle = createKeyedThrottle<'track', Track>(intervalMs, (_track, { key, text }) => {
    if (key === announced) return
    announced = key
    announce('tracks', text)
  })

  return {
    close: throttle.close,
    onNowPlaying({ song, live }: NowPlaying): void {
      const track = describeTrack(song)
      if (!track) return
      const key = toTrackKey(track)
      if (key === latest) return
      if (latest === null) announced = key
      else throttle.add('track', { key, text: ircTexts.track(track, describeStreamer(live)) })
      latest = key
    },
  }
}

/** @returns null if the station plays, or the streamer has no name */
export const describeStreamer = ({ isLive, streamer }: NowPlaying['live']): string | null =>
  isLive && streamer !== '' ? cleanAndCut(streamer, ircLimits.name) : null

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
