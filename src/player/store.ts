import type { NowPlaying, Station } from '#src/contract/radio.ts'
import { readStoredFields, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'

export type Recording = {
  stationId: number
  streamerId: number
  broadcastId: number
  title: string
  streamer: string
  startedAt: string
  /** in seconds */
  duration: number
  size: number
}

/** `starting`: no audio yet; `reconnecting`: the player retries an interrupted stream */
export type Status = 'paused' | 'starting' | 'playing' | 'reconnecting'

/** Persisted in localStorage. */
const defaults = {
  /** 0 to 1; squared before use, to match perceived loudness */
  volume: 0.5,
  muted: false,
  stationId: 1,
  preset: 'Flexi - mindblob mix',
  maximised: false,
  minimised: false,
  shortcuts: true,
}
export type Settings = typeof defaults

export type PlayerState = Settings & {
  status: Status
  /** null for the live stream */
  recording: Recording | null
  stations: Station[]
  nowPlaying: NowPlaying | null
  /** when `nowPlaying` was fetched, in ms since the Unix epoch */
  nowPlayingAt: number
  offline: boolean
  /** page that was not opened: it is unreachable, or loading it would stop playback */
  blockedPage: { url: string; reason: 'offline' | 'unreachable' | 'newVersion' | 'reload' } | null
  /** when the sleep timer stops playback, in ms since the Unix epoch */
  sleepAt: number | null
}

const KEY = 'player'

export const initialPlayer: PlayerState = {
  ...defaults,
  status: 'paused',
  recording: null,
  stations: [],
  nowPlaying: null,
  nowPlayingAt: 0,
  offline: false,
  blockedPage: null,
  sleepAt: null,
}

const stored = loadSettings()
// Without settings it is the same object, or each part of the bar would render twice during hydration.
const store = createStore(
  initialPlayer,
  Object.keys(stored).length === 0 ? initialPlayer : { ...initialPlayer, ...stored },
)

export const subscribePlayer = store.subscribe
export const getPlayer = store.get
/** Returns the defaults on the server and during hydration. */
export const usePlayer = store.useValue

export function setPlayer(change: Partial<PlayerState>) {
  const changed = Object.entries(change).filter(([key, value]) => getPlayer()[key as keyof PlayerState] !== value)
  if (changed.length === 0) return
  saveSettings(Object.fromEntries(changed.filter(([key]) => key in defaults)))
  store.set({ ...getPlayer(), ...change })
}

/** Writes only changed settings, to keep the changes that other tabs made. */
function saveSettings(change: Partial<Settings>) {
  if (Object.keys(change).length > 0) writeStored(KEY, { ...loadSettings(), ...change })
}

/** Restores the bar where the sheet covers the page. The width is that of the stacked layout in Sheet.module.css. */
export function uncoverPage() {
  // `matchMedia` is undefined on the server.
  if (globalThis.matchMedia?.('(max-width: 71.25rem)').matches) setPlayer({ maximised: false })
}

function loadSettings(): Partial<Settings> {
  const settings = readStoredFields(KEY, defaults)
  if (settings.volume !== undefined) settings.volume = Math.min(1, Math.max(0, settings.volume))
  return settings
}

uncoverPage()

/** Does not use the tRPC client, because most visitors would load it only for the player. */
export async function refreshStations(): Promise<void> {
  try {
    const { stations } = (await (await fetch('/api/radio/stations')).json()) as { stations: Station[] }
    const first = stations[0]
    if (!first) return
    const isSelectedAvailable = stations.some(({ id }) => id === getPlayer().stationId)
    setPlayer({ stations, ...(!isSelectedAvailable && { stationId: first.id }) })
  } catch {
    // If the request fails, keeps the known stations. Their streams may still work.
  }
}

/** Calls the listener now and after each change, with the current and the previous state. */
export function watchPlayer(listener: (state: PlayerState, previous: PlayerState) => void) {
  let current = initialPlayer
  function update() {
    const previous = current
    current = getPlayer()
    listener(current, previous)
  }
  subscribePlayer(update)
  update()
}
