import { t } from '#src/i18n/t.ts'
import { createStoredStore } from './storedStore.ts'

/** A moment in a recording of the archive. */
type RecordingMark = {
  title: string
  stationId: number
  streamerId: number
  broadcastId: number
  seconds: number
}

export type Favourite = {
  artist: string
  title: string
  /** ISO date */
  savedAt: string
  /** name of the station; empty in a recording */
  station: string
  recording: RecordingMark | null
}

export const favouriteLimits = {
  /** tracks in the list; older ones are dropped. Limits the browser's storage */
  tracks: 1000,
  /** characters of a name */
  text: 300,
  /** bytes of an imported file */
  fileBytes: 1024 * 1024,
} as const

export const favouritesAsJson = (list: Favourite[]): string => JSON.stringify({ favourites: list }, null, 2)

/** One track per line, as in other programs' lists. */
export const favouritesAsText = (list: Favourite[]): string =>
  list.map(({ artist, title }) => `${artist ? `${artist} - ` : ''}${title}\n`).join('')

/** @throws Error with a text for the visitor */
export function parseFavouritesFile(text: string): Favourite[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error(t('show.notFavourites'))
  }
  const list = (content as { favourites?: unknown } | null)?.favourites
  if (!Array.isArray(list)) throw new Error(t('show.notFavourites'))
  if (list.length > favouriteLimits.tracks)
    throw new Error(t('show.tooManyFavourites', { max: favouriteLimits.tracks }))
  const parsed = parseFavourites(list)
  if (!parsed) throw new Error(t('show.notFavourites'))
  return parsed
}

/** Returns null if something else is in the list: a file or another script wrote it. */
function parseFavourites(list: unknown): Favourite[] | null {
  if (!Array.isArray(list)) return null
  const parsed = list.slice(0, favouriteLimits.tracks).flatMap((one) => parseFavourite(one) ?? [])
  return parsed.length === Math.min(list.length, favouriteLimits.tracks) ? parsed : null
}

function parseFavourite(value: unknown): Favourite | null {
  if (typeof value !== 'object' || value === null) return null
  const { artist, title, savedAt, station, recording } = value as Record<string, unknown>
  if (!isText(artist) || !isText(title) || title === '' || !isText(station) || !isDate(savedAt)) return null
  const mark = recording === null ? null : parseRecording(recording)
  return mark === undefined ? null : { artist, title, savedAt, station, recording: mark }
}

function parseRecording(value: unknown): RecordingMark | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { title, stationId, streamerId, broadcastId, seconds } = value as Record<string, unknown>
  const isValid = isText(title) && isId(stationId) && isId(streamerId) && isId(broadcastId) && isId(seconds)
  return isValid ? { title, stationId, streamerId, broadcastId, seconds } : undefined
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= favouriteLimits.text && value.isWellFormed()
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** Identifies a track. A track of a recording differs from the same track on air. */
export function favouriteKey({ artist, title, recording }: Pick<Favourite, 'artist' | 'title' | 'recording'>): string {
  const place = recording && `${recording.stationId}/${recording.streamerId}/${recording.broadcastId}`
  return JSON.stringify([artist.toLowerCase(), title.toLowerCase(), place])
}

/** The favourites of this browser, newest first. */
export const favourites = createStoredStore<Favourite[]>(
  'favourites',
  (stored) => parseFavourites(stored) ?? [],
  (tracks) => (tracks.length > 0 ? tracks : null),
)

const change = (update: (stored: Favourite[]) => Favourite[]): void =>
  favourites.change((stored) => update(stored).slice(0, favouriteLimits.tracks))

/** Adds a track, or removes it if the list contains it. */
export function toggleFavourite(track: Favourite): void {
  const key = favouriteKey(track)
  change((stored) => {
    const others = stored.filter((other) => favouriteKey(other) !== key)
    return others.length < stored.length ? others : [shorten(track), ...others]
  })
}

export function removeFavourite(track: Favourite): void {
  const key = favouriteKey(track)
  change((stored) => stored.filter((other) => favouriteKey(other) !== key))
}

/** Adds the tracks that the list lacks, in the order of their dates. @returns their number */
export function addFavourites(added: Favourite[]): number {
  let count = 0
  change((stored) => {
    const known = new Set(stored.map(favouriteKey))
    const missing = added.filter((track) => !known.has(favouriteKey(track)) && known.add(favouriteKey(track)))
    count = missing.length
    return [...stored, ...missing].sort((a, b) => b.savedAt.localeCompare(a.savedAt))
  })
  return count
}

const shorten = (track: Favourite): Favourite => ({
  ...track,
  artist: track.artist.slice(0, favouriteLimits.text).toWellFormed(),
  title: track.title.slice(0, favouriteLimits.text).toWellFormed(),
  station: track.station.slice(0, favouriteLimits.text).toWellFormed(),
  recording: track.recording && {
    ...track.recording,
    title: track.recording.title.slice(0, favouriteLimits.text).toWellFormed(),
  },
})
