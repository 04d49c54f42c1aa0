import { useSyncExternalStore } from 'react'

const KEY = 'player'

export type PlayerState = {
  /** 0 to 1 */
  volume: number
  stationId: number
  /** name of the visualiser's preset */
  preset: string
  maximised: boolean
  minimised: boolean
  playing: boolean
}

export const initialPlayer: PlayerState = {
  volume: 0.5,
  stationId: 1,
  preset: 'Flexi - mindblob mix',
  maximised: false,
  minimised: false,
  playing: false,
}

let state = initialPlayer
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The player's state; before the page has started, on both sides, the defaults. */
export function usePlayer(): PlayerState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => initialPlayer,
  )
}

/** Changes some of the state and keeps all but `playing` for the next visit. */
export function setPlayer(change: Partial<PlayerState>) {
  state = { ...state, ...change }
  const { playing: _, ...kept } = state
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // storage is full or forbidden: the state lasts as long as the page
  }
  for (const listener of listeners) listener()
}

/** Takes up what the last visit left; called once, after the first render. */
export function loadPlayer() {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (typeof kept === 'object' && kept !== null) setPlayer(readKept(kept))
  } catch {
    // nothing readable was left: the defaults stay
  }
}

/** Only what has the shape of its default: the storage is open to anything on this origin. */
function readKept(kept: object): Partial<PlayerState> {
  const { playing: _, ...defaults } = initialPlayer
  const entries = Object.entries(kept).filter(
    ([key, value]) => key in defaults && typeof value === typeof defaults[key as keyof typeof defaults],
  )
  const change: Partial<PlayerState> = Object.fromEntries(entries)
  if (change.volume !== undefined) change.volume = Math.min(1, Math.max(0, change.volume))
  return change
}
