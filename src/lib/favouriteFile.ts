import { t } from '#src/i18n/t.ts'

/** A moment in a recording of the archive. */
export type RecordingMark = {
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
export function parseFavourites(list: unknown): Favourite[] | null {
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
