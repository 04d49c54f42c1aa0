import { parseLine } from '#server/features/radio/input/titles.ts'
import { RadioUnavailable, type SourceNowPlaying, type SourceSong } from '#server/features/radio/types.ts'
import type { Broadcast, Streamer } from '#src/contract/archive.ts'
import { UNKNOWN_SONG } from '#src/contract/radio.ts'

const MAX_HISTORY = 10
/** Limits durations. Longer durations count as unknown. */
const MAX_DURATION_SECONDS = 30 * 24 * 3600
const MAX_LISTENERS = 1_000_000_000

export type ServiceStation = { id: number; name: string; description: string; listenUrl: string }

type ParseUrl = (value: unknown) => string | null

/** @throws RadioUnavailable */
export const parseStations = (answer: unknown, parseUrl: ParseUrl): ServiceStation[] =>
  parseEntries(answer, (row) => {
    const id = parseId(row.id)
    if (id === null) return null
    const name = parseLine(row.name, 100) || parseLine(row.shortcode, 100) || `Station ${id}`
    return { id, name, description: parseLine(row.description, 500), listenUrl: findListenUrl(row, parseUrl) ?? '' }
  })

export function findListenUrl(station: Json, parseUrl: ParseUrl): string | null {
  const mounts = (parseList(station.mounts) ?? []).filter(isObject)
  const defaultMounts = mounts.filter((mount) => mount.is_default === true)
  const remotes = (parseList(station.remotes) ?? []).filter(isObject)
  const candidates = [station.listen_url, ...[...defaultMounts, ...mounts, ...remotes].map(({ url }) => url)]
  return candidates.map(parseUrl).find((url) => url !== null) ?? null
}

/** @throws RadioUnavailable */
export function parseNowPlaying(answer: unknown, parseUrl: ParseUrl): SourceNowPlaying {
  if (!isObject(answer)) throw new RadioUnavailable('unknown format of now-playing')
  // Some AzuraCast versions have the song and its times at the top level.
  const current = 'now_playing' in answer ? answer.now_playing : 'song' in answer ? answer : undefined
  if (current !== null && !isObject(current)) throw new RadioUnavailable('unknown format of now-playing')
  const offline = answer.is_online === false
  const live = toObject(answer.live)
  const isLive = live.is_live === true && !offline
  const duration = parseNumber(current?.duration, Number.MAX_VALUE) ?? 0
  return {
    song: current && !offline ? parseSong(current.song, parseUrl) : null,
    elapsed: parseNumber(current?.elapsed, MAX_DURATION_SECONDS) ?? 0,
    duration: duration > MAX_DURATION_SECONDS ? 0 : duration,
    listeners: parseListeners(answer.listeners),
    live: { isLive, streamer: isLive ? parseLine(live.streamer_name, 100) : '' },
    history: (parseList(answer.song_history) ?? [])
      .filter(isObject)
      .flatMap((row) => {
        const song = isObject(row.song) || typeof row.song === 'string' ? parseSong(row.song, parseUrl) : null
        return song ? [{ song, playedAt: parseInstant(row.played_at) }] : []
      })
      .slice(0, MAX_HISTORY),
  }
}

/** Parses a song. A song without a title gets the title "Unknown", because it is still on air. */
function parseSong(value: unknown, parseUrl: ParseUrl): SourceSong | null {
  if (value === null) return null
  const song = typeof value === 'string' ? { text: value } : value
  if (!isObject(song)) throw new RadioUnavailable('unknown format of a song')
  const title = parseLine(song.title, 300) || parseLine(song.text, 300) || UNKNOWN_SONG.title
  return { title, artist: parseLine(song.artist, 300), album: parseLine(song.album, 300), art: parseUrl(song.art) }
}

function parseListeners(value: unknown): SourceNowPlaying['listeners'] {
  const counts = isObject(value) ? value : { current: value }
  const [current] = [counts.current, counts.total, counts.unique].flatMap(
    (value) => parseNumber(value, MAX_LISTENERS) ?? [],
  )
  const peak = parseNumber(counts.peak, MAX_LISTENERS)
  return current === undefined ? null : { current: Math.floor(current), peak: peak === null ? null : Math.floor(peak) }
}

/** @throws RadioUnavailable */
export const parseStreamers = (answer: unknown): Streamer[] =>
  parseEntries(answer, (row) => {
    const id = parseId(row.id)
    const username = parseLine(row.streamer_username, 100) || parseLine(row.display_name, 100)
    if (id === null || username === '') return null
    return {
      id,
      streamer_username: username,
      display_name: parseLine(row.display_name, 100) || username,
      comments: parseLine(row.comments, 2000) || null,
    }
  })

/** @throws RadioUnavailable */
export const parseBroadcasts = (answer: unknown): Broadcast[] =>
  parseEntries(answer, (row) => {
    const id = parseId(row.id)
    const timestampStart = parseInstant(row.timestampStart)
    if (id === null || timestampStart === null) return null
    const size = isObject(row.recording) ? parseNumber(row.recording.size, Number.MAX_SAFE_INTEGER) : null
    return {
      id,
      title: null,
      timestampStart,
      timestampEnd: parseInstant(row.timestampEnd),
      recording: size === null ? null : { size: Math.floor(size) },
    }
  })

export function getNextPage(answer: unknown): number | null {
  if (!isObject(answer)) return null
  const [page, pages] = [parseNumber(answer.page, 100_000), parseNumber(answer.total_pages, 100_000)]
  return page !== null && pages !== null && page < pages ? page + 1 : null
}

/** @throws RadioUnavailable if the answer is not a list, or all entries are invalid */
function parseEntries<T extends { id: number }>(answer: unknown, read: (row: Json) => T | null): T[] {
  const list = parseList(answer)
  if (!list) throw new RadioUnavailable('unknown format of a list')
  const entriesById = new Map<number, T>()
  for (const row of list) {
    const entry = isObject(row) ? read(row) : null
    if (entry && !entriesById.has(entry.id)) entriesById.set(entry.id, entry)
  }
  if (list.length > 0 && entriesById.size === 0) throw new RadioUnavailable('no valid entry in a list')
  return [...entriesById.values()]
}

/* Parsers for untrusted JSON. For invalid values they return null or an empty value. */

type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** Accepts an array, an object with `rows`, or an object with numeric keys, PHP's encoding of a list with gaps. */
export function parseList(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return null
  if (Array.isArray(value.rows)) return value.rows
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : null
}

export function parseId(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : null
}

/** Parses a number and caps it at `max`. Returns null for negative or invalid values. */
export function parseNumber(value: unknown, max: number): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? Math.min(number, max) : null
}

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i
/** 9999-12-31T23:59:59Z */
const LAST_SECOND = 253_402_300_799

/** Converts ISO dates and Unix seconds to ISO. Returns null for 0 and invalid values. */
function parseInstant(value: unknown): string | null {
  const seconds = parseNumber(value, Number.MAX_VALUE)
  if (seconds !== null) return seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000).toISOString() : null
  const [, day, time, zone = 'Z'] = (typeof value === 'string' && ISO.exec(value)) || []
  const instant = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(instant) || instant <= 0 ? null : new Date(instant).toISOString()
}
