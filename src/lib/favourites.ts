import { type Favourite, favouriteLimits, parseFavourites } from './favouriteFile.ts'
import { followStored, readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

const KEY = 'favourites'

/** Identifies a track. A track of a recording differs from the same track on air. */
export function favouriteKey({ artist, title, recording }: Pick<Favourite, 'artist' | 'title' | 'recording'>): string {
  const place = recording && `${recording.stationId}/${recording.streamerId}/${recording.broadcastId}`
  return JSON.stringify([artist.toLowerCase(), title.toLowerCase(), place])
}

const readFavourites = (): Favourite[] => parseFavourites(readStored(KEY)) ?? []

/** The favourites of this browser, newest first. */
export const favourites = createStore<Favourite[]>([], readFavourites())

/** Changes the list as it is stored now, because another tab may have changed it. */
function change(update: (stored: Favourite[]) => Favourite[]): void {
  const changed = update(readFavourites()).slice(0, favouriteLimits.tracks)
  writeStored(KEY, changed.length > 0 ? changed : null)
  favourites.set(changed)
}

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

/** Reads the list again after another tab has changed it. */
export const followFavourites = (): (() => void) => followStored(KEY, () => favourites.set(readFavourites()))

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
