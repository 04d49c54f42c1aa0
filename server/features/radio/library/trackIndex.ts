import { setTimeout } from 'node:timers/promises'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import type { LibraryTrack, RequestableTracks, SourceSong } from '#server/features/radio/types.ts'
import { songRequestLimits } from '#src/contract/songRequest.ts'
import { CONCURRENCY } from './files.ts'
import type { Library } from './library.ts'
import { findGap, type Timeline, type Track, withRequests } from './timeline.ts'

type Deps = { library: Library; getSong: (track: Track) => Promise<SourceSong> }

type Entry = LibraryTrack & { words: string }

/** A search waits this long for the tags of a new library, and then uses the tags that were read. */
const INDEX_WAIT_MS = 1000

/** Searches the tags of the tracks in memory. The library limits their number. The first search reads all tags. */
export function createTrackIndex({ library, getSong }: Deps): RequestableTracks {
  let entries: Entry[] = []
  let indexedTracks: Track[] | null = null
  let indexing = Promise.resolve()

  async function index(tracks: Track[]): Promise<void> {
    const known = new Map(entries.map((entry) => [entry.id, entry]))
    entries = tracks.flatMap(({ id }) => known.get(id) ?? [])
    const missing = tracks.filter(({ id }) => !known.has(id))
    await forEachConcurrently(missing, CONCURRENCY, async (track) => {
      if (indexedTracks === tracks) entries.push(await toEntry(track))
    })
    entries.sort(compare)
  }

  async function toEntry(track: Track): Promise<Entry> {
    const { artist, title } = await getSong(track)
    const seconds = track.info.frames * track.info.secondsPerFrame
    return { id: track.id, artist, title, seconds, words: ` ${splitWords(`${artist} ${title}`).join(' ')}` }
  }

  async function refresh(): Promise<Timeline | null> {
    const timeline = await library.timeline()
    if (timeline && timeline.tracks !== indexedTracks) {
      indexedTracks = timeline.tracks
      indexing = index(timeline.tracks)
    }
    return timeline
  }

  return {
    async search(query, limit) {
      await refresh()
      await Promise.race([indexing, setTimeout(INDEX_WAIT_MS, undefined, { ref: false })])
      const wanted = splitWords(query).slice(0, songRequestLimits.words)
      return entries
        .filter(({ words }) => wanted.every((word) => words.includes(word)))
        .map((entry) => ({ entry, rank: wanted.filter((word) => entry.words.includes(` ${word}`)).length }))
        .sort((a, b) => b.rank - a.rank)
        .slice(0, limit)
        .map(({ entry }) => toTrack(entry))
    },

    async find(trackId) {
      const track = (await refresh())?.tracks.find(({ id }) => id === trackId)
      return track ? toTrack(await toEntry(track)) : null
    },

    async findGap(planned, after) {
      const timeline = await library.timeline()
      if (!timeline) return null
      const { startsAt, nextTrackId } = findGap(withRequests(timeline, planned), after.getTime())
      return { startsAt: new Date(startsAt), nextTrackId }
    },
  }
}

const toTrack = ({ id, artist, title, seconds }: Entry): LibraryTrack => ({ id, artist, title, seconds })

/** Splits into lower-case words without accents, so that `bjork` finds `Björk`. */
const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const compare = (a: LibraryTrack, b: LibraryTrack) =>
  a.artist.localeCompare(b.artist) || a.title.localeCompare(b.title) || a.id - b.id
