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
 * @returns a function that ends it
 */
export function announceTracks({ services, announce }: AnnouncerDeps, intervalMs: number): () => void {
  let latest: string | null = null
  let announced: string | null = null
  const throttle = createKeyedThrottle<'track', Track>(intervalMs, (_track, { key, text }) => {
    if (key === announced) return
    announced = key
    announce('tracks', text)
  })
  const unfollow = services.radio.follow(STATION_ID, ({ song, live }) => {
    const track = describeTrack(song)
    if (!track) return
    const key = toTrackKey(track)
    if (key === latest) return
    if (latest === null) announced = key
    else throttle.add('track', { key, text: ircTexts.track(track, describeStreamer(live)) })
    latest = key
  })
  return () => {
    unfollow()
    throttle.close()
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
