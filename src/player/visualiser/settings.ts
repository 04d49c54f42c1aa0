import { useSyncExternalStore } from 'react'
import { names } from './presetNames.ts'

const KEY = 'visualiser'
export const CYCLE_SECONDS = { min: 5, max: 120, step: 5 }
export const BLEND_SECONDS = { min: 0, max: 10, step: 0.5 }

export type VisualiserSettings = {
  /** a new preset every so many seconds */
  cycle: boolean
  cycleSeconds: number
  /** how long one preset takes to become the next */
  blendSeconds: number
  /** the shown preset stays, whatever `cycle` says */
  locked: boolean
  favourites: string[]
  /** the list, next, random and the cycle keep to the favourites */
  onlyFavourites: boolean
}

const defaults: VisualiserSettings = {
  cycle: false,
  cycleSeconds: 30,
  blendSeconds: 3,
  locked: false,
  favourites: [],
  onlyFavourites: false,
}

let settings: VisualiserSettings | null = null
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The settings as they are now; read from the browser's storage when first asked for. */
export function getSettings(): VisualiserSettings {
  if (!settings) {
    try {
      settings = readSettings(localStorage.getItem(KEY))
    } catch {
      settings = defaults
    }
  }
  return settings
}

/** The settings, followed. */
export const useSettings = () => useSyncExternalStore(subscribe, getSettings, () => defaults)

/** Changes some settings and keeps them for the next visit. */
export function setSettings(change: Partial<VisualiserSettings>) {
  settings = { ...getSettings(), ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // storage is full or forbidden: they last as long as the page
  }
  for (const listener of listeners) listener()
}

/** Makes a preset a favourite, or no longer one. */
export function toggleFavourite(name: string) {
  const { favourites } = getSettings()
  setSettings({
    favourites: favourites.includes(name) ? favourites.filter((other) => other !== name) : [...favourites, name],
  })
}

/** Settings from what was kept, whatever it is: the storage is open to anything on this origin. */
export function readSettings(kept: string | null): VisualiserSettings {
  const value = parse(kept)
  const flag = (key: 'cycle' | 'locked' | 'onlyFavourites') =>
    typeof value[key] === 'boolean' ? value[key] : defaults[key]
  const seconds = (key: 'cycleSeconds' | 'blendSeconds', { min, max }: { min: number; max: number }) => {
    const given = value[key]
    return typeof given === 'number' && given >= min && given <= max ? given : defaults[key]
  }
  const favourites: unknown[] = Array.isArray(value.favourites) ? value.favourites : []
  return {
    cycle: flag('cycle'),
    cycleSeconds: seconds('cycleSeconds', CYCLE_SECONDS),
    blendSeconds: seconds('blendSeconds', BLEND_SECONDS),
    locked: flag('locked'),
    favourites: names.filter((name) => favourites.includes(name)),
    onlyFavourites: flag('onlyFavourites'),
  }
}

function parse(kept: string | null): Partial<Record<keyof VisualiserSettings, unknown>> {
  try {
    const value: unknown = JSON.parse(kept ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
