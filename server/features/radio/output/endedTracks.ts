import { LRUCache } from 'lru-cache'

type Track = { artist: string; title: string }

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
    add(key: string): void {
      ended.set(key, clock())
    },
    has(key: string): boolean {
      const age = clock() - (ended.get(key) ?? Number.NEGATIVE_INFINITY)
      // Setting the clock back must not extend the time.
      return age >= 0 && age < ms
    },
  }
}
