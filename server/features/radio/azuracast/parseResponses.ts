import { RadioUnavailable, type SourceNowPlaying, type SourceSong } from '#server/features/radio/types.ts'
import type { Broadcast, Streamer } from '#src/contract/archive.ts'
import { UNKNOWN_SONG } from '#src/contract/radio.ts'
import { isRecord, type Json, listOf, numberIn, readId, readInstant, readText, record } from './parseValues.ts'

/** What an AzuraCast answers, in any of its versions' shapes, as what we work with; nothing else of it gets further. */

const HISTORY = 10
/** Seconds; what claims to last longer than a month lasts unknown. */
const LONGEST = 30 * 24 * 3600
const CROWD = 1_000_000_000

export type ServiceStation = { id: number; name: string; description: string; listenUrl: string }

/** Reads a reference to another address: null for what is none. */
export type ReadUrl = (value: unknown) => string | null

/** @throws RadioUnavailable */
export const readStations = (answer: unknown, readUrl: ReadUrl): ServiceStation[] =>
  entries(answer, (one) => {
    const id = readId(one.id)
    if (id === null) return null
    const name = readText(one.name, 100) || readText(one.shortcode, 100) || `Station ${id}`
    return { id, name, description: readText(one.description, 500), listenUrl: listenUrl(one, readUrl) ?? '' }
  })

/** Where a station's sound is; of several mounts the default one. */
export function listenUrl(station: Json, readUrl: ReadUrl): string | null {
  const mounts = (listOf(station.mounts) ?? []).filter(isRecord)
  const byDefault = mounts.filter((mount) => mount.is_default === true)
  const remotes = (listOf(station.remotes) ?? []).filter(isRecord)
  const candidates = [station.listen_url, ...[...byDefault, ...mounts, ...remotes].map(({ url }) => url)]
  return candidates.map(readUrl).find((url) => url !== null) ?? null
}

/** @throws RadioUnavailable */
export function readNowPlaying(answer: unknown, readUrl: ReadUrl): SourceNowPlaying {
  if (!isRecord(answer)) throw new RadioUnavailable('what is on air has an unknown shape')
  // The flat shape has the song and its times right at the top.
  const on = 'now_playing' in answer ? answer.now_playing : 'song' in answer ? answer : undefined
  if (on !== null && !isRecord(on)) throw new RadioUnavailable('what is on air has an unknown shape')
  const offline = answer.is_online === false
  const live = record(answer.live)
  const isLive = live.is_live === true && !offline
  const duration = numberIn(on?.duration, Number.MAX_VALUE) ?? 0
  return {
    song: on && !offline ? readSong(on.song, readUrl) : null,
    elapsed: numberIn(on?.elapsed, LONGEST) ?? 0,
    duration: duration > LONGEST ? 0 : duration,
    listeners: readListeners(answer.listeners),
    live: { isLive, streamer: isLive ? readText(live.streamer_name, 100) : '' },
    history: (listOf(answer.song_history) ?? [])
      .filter(isRecord)
      .flatMap((one) => {
        const song = isRecord(one.song) || typeof one.song === 'string' ? readSong(one.song, readUrl) : null
        return song ? [{ song, playedAt: readInstant(one.played_at) }] : []
      })
      .slice(0, HISTORY),
  }
}

/** Something is on air even where nobody says what: then it is unknown. */
function readSong(value: unknown, readUrl: ReadUrl): SourceSong | null {
  if (value === null) return null
  const song = typeof value === 'string' ? { text: value } : value
  if (!isRecord(song)) throw new RadioUnavailable('a song has an unknown shape')
  const title = readText(song.title, 300) || readText(song.text, 300) || UNKNOWN_SONG.title
  return { title, artist: readText(song.artist, 300), album: readText(song.album, 300), art: readUrl(song.art) }
}

function readListeners(value: unknown): SourceNowPlaying['listeners'] {
  const told = isRecord(value) ? value : { current: value }
  const [current] = [told.current, told.total, told.unique].flatMap((one) => numberIn(one, CROWD) ?? [])
  const peak = numberIn(told.peak, CROWD)
  return current === undefined ? null : { current: Math.floor(current), peak: peak === null ? null : Math.floor(peak) }
}

/** @throws RadioUnavailable */
export const readStreamers = (answer: unknown): Streamer[] =>
  entries(answer, (one) => {
    const id = readId(one.id)
    const username = readText(one.streamer_username, 100) || readText(one.display_name, 100)
    if (id === null || username === '') return null
    return {
      id,
      streamer_username: username,
      display_name: readText(one.display_name, 100) || username,
      comments: readText(one.comments, 2000) || null,
    }
  })

/** @throws RadioUnavailable */
export const readBroadcasts = (answer: unknown): Broadcast[] =>
  entries(answer, (one) => {
    const id = readId(one.id)
    const timestampStart = readInstant(one.timestampStart)
    if (id === null || timestampStart === null) return null
    const size = isRecord(one.recording) ? numberIn(one.recording.size, Number.MAX_SAFE_INTEGER) : null
    return {
      id,
      title: null,
      timestampStart,
      timestampEnd: readInstant(one.timestampEnd),
      recording: size === null ? null : { size: Math.floor(size) },
    }
  })

/** Whether a list goes on, and on which page; null where it ends here. */
export function nextPage(answer: unknown): number | null {
  if (!isRecord(answer)) return null
  const [page, pages] = [numberIn(answer.page, 100_000), numberIn(answer.total_pages, 100_000)]
  return page !== null && pages !== null && page < pages ? page + 1 : null
}

/** What can be read of a list; a list of which nothing can is no answer, rather than an empty one. */
function entries<T extends { id: number }>(answer: unknown, read: (one: Json) => T | null): T[] {
  const list = listOf(answer)
  if (!list) throw new RadioUnavailable('a list has an unknown shape')
  const found = new Map<number, T>()
  for (const one of list) {
    const entry = isRecord(one) ? read(one) : null
    if (entry && !found.has(entry.id)) found.set(entry.id, entry)
  }
  if (list.length > 0 && found.size === 0) throw new RadioUnavailable('a list has entries of an unknown shape')
  return [...found.values()]
}
