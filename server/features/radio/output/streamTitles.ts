import { LRUCache } from 'lru-cache'
import { parseTitle } from '#server/features/radio/input/titles.ts'

type Track = { artist: string; title: string }
/** A title from the stream's metadata. `at` is in ms since 1970. */
export type StreamTitle = Track & { at: number }

const MAX_ENDED = 1000
/**
 * For this time after a change of the stream's title, an answer that names an earlier song counts as late. Afterwards
 * the service is right, because the stream's title may be stale. Answers lag some seconds, plus a poll interval.
 */
const LATE_ANSWER_MS = 30_000

/** Returns a key that is equal for different spellings of a track. */
export const toTrackKey = ({ artist, title }: Track): string =>
  `${artist}${title}`.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Remembers which tracks ended. The result of a poll can be older than the last title of the stream, so a track that
 * ended just now is not current again.
 * @param ms how long a track is remembered
 * @param clock returns the time in ms
 */
export function createEndedTracks({ ms, max, clock }: { ms: number; max: number; clock: () => number }) {
  const ended = new LRUCache<string, number>({ max })
  return {
    add: (key: string) => void ended.set(key, clock()),
    // Setting the clock back must not extend the time.
    has: (key: string) => Math.abs(clock() - (ended.get(key) ?? Number.NEGATIVE_INFINITY)) < ms,
  }
}

/** Decides between the titles of the streams and the songs that the service names. */
export function createStreamTitles({ listeners, now }: { listeners: (stationId: number) => number; now: () => Date }) {
  const titles = new Map<number, StreamTitle>()
  const songs = new Map<number, Track | null>()
  const clock = () => now().getTime()
  const ended = createEndedTracks({ ms: LATE_ANSWER_MS, max: MAX_ENDED, clock })
  const toEndedKey = (stationId: number, track: Track) => `${stationId} ${toTrackKey(track)}`

  /** Nobody listens to a stream that is not open: its title is old. */
  const current = (stationId: number) => (listeners(stationId) > 0 ? (titles.get(stationId) ?? null) : null)

  function markEnded(stationId: number, title: StreamTitle): void {
    const key = toTrackKey(title)
    const previous = titles.get(stationId)
    // The relay reads the same title again when it reconnects.
    if (previous && toTrackKey(previous) === key) return
    for (const track of [previous, songs.get(stationId)]) {
      if (track && toTrackKey(track) !== key) ended.add(toEndedKey(stationId, track))
    }
  }

  return {
    current,
    /** @param text usually `Artist - Title`; empty if the stream has no title */
    set(stationId: number, text: string): void {
      const track = parseTitle(text)
      if (!track) return void titles.delete(stationId)
      const newTitle = { ...track, at: clock() }
      markEnded(stationId, newTitle)
      titles.set(stationId, newTitle)
    },
    setSong(stationId: number, song: Track | null): void {
      songs.set(stationId, song)
    },
    /**
     * Returns the stream's title if it is newer than the service's last answer, or if the song of that answer has ended.
     * If the service says that nothing plays, the stream is right.
     * @param at time of the answer
     */
    findNewer(stationId: number, song: Track | null, at: number): StreamTitle | null {
      const title = current(stationId)
      if (!title || !song) return title
      if (toTrackKey(song) === toTrackKey(title)) return null
      return title.at > at || ended.has(toEndedKey(stationId, song)) ? title : null
    },
  }
}
