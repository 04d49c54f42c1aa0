import { useSyncExternalStore } from 'react'
import type { PlayerState, Settings } from './types.ts'

const KEY = 'player'

const defaults: Settings = {
  volume: 0.5,
  muted: false,
  stationId: 1,
  preset: 'Flexi - mindblob mix',
  maximised: false,
  minimised: false,
  shortcuts: true,
}

export const initialPlayer: PlayerState = {
  ...defaults,
  status: 'paused',
  source: { kind: 'live' },
  stations: [],
  nowPlaying: null,
  nowPlayingAt: 0,
  offline: false,
  blockedPage: null,
  sleepAt: null,
}

let state: PlayerState = import.meta.env.SSR ? initialPlayer : { ...initialPlayer, ...loadSettings() }
const listeners = new Set<() => void>()

export function subscribePlayer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const getPlayer = (): PlayerState => state

/** Returns the defaults on the server and during hydration. */
export function usePlayer(): PlayerState {
  return useSyncExternalStore(subscribePlayer, getPlayer, () => initialPlayer)
}

export function setPlayer(change: Partial<PlayerState>) {
  const changed = Object.entries(change).filter(([key, value]) => state[key as keyof PlayerState] !== value)
  if (changed.length === 0) return
  state = { ...state, ...change }
  saveSettings(Object.fromEntries(changed.filter(([key]) => key in defaults)))
  for (const listener of [...listeners]) listener()
}

/** Writes only changed settings, to keep the changes of other tabs. */
function saveSettings(change: Partial<Settings>) {
  if (Object.keys(change).length === 0) return
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...loadSettings(), ...change }))
  } catch {
    // Storage is full or blocked: settings last until the page is closed.
  }
}

/** Ignores values of the wrong type: any script on this origin can write the storage. */
function loadSettings(): Partial<Settings> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return {}
    const entries = Object.entries(stored).filter(
      ([key, value]) => Object.hasOwn(defaults, key) && typeof value === typeof defaults[key as keyof Settings],
    )
    const change: Partial<Settings> = Object.fromEntries(entries)
    if (change.volume !== undefined) change.volume = Math.min(1, Math.max(0, change.volume))
    return change
  } catch {
    return {}
  }
}
