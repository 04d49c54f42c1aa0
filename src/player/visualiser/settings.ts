import { useSyncExternalStore } from 'react'
import { presetNames } from './presetNames.ts'

const KEY = 'visualiser'
export const CYCLE_SECONDS = { min: 5, max: 120, step: 5 }
export const BLEND_SECONDS = { min: 0, max: 10, step: 0.5 }

export type VisualiserSettings = {
  cycle: boolean
  cycleSeconds: number
  blendSeconds: number
  /** keeps the preset, even with `cycle` */
  locked: boolean
  favourites: string[]
  /** limits the list, next, random and cycling to favourites */
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

export const useSettings = () => useSyncExternalStore(subscribe, getSettings, () => defaults)

export function setSettings(change: Partial<VisualiserSettings>) {
  settings = { ...getSettings(), ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // Storage is full or blocked: settings last until the page is closed.
  }
  for (const listener of listeners) listener()
}

/** Unlocks the preset too: cycling has no effect while it is locked. */
export const toggleCycle = () => setSettings(getSettings().cycle ? { cycle: false } : { cycle: true, locked: false })

export const toggleLocked = () => setSettings({ locked: !getSettings().locked })

export function toggleFavourite(name: string) {
  const { favourites } = getSettings()
  setSettings({
    favourites: favourites.includes(name) ? favourites.filter((other) => other !== name) : [...favourites, name],
  })
}

/** Parses stored settings with defaults for invalid values: any script on this origin can write the storage. */
export function readSettings(stored: string | null): VisualiserSettings {
  const value = parse(stored)
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
    favourites: presetNames.filter((name) => favourites.includes(name)),
    onlyFavourites: flag('onlyFavourites'),
  }
}

function parse(stored: string | null): Partial<Record<keyof VisualiserSettings, unknown>> {
  try {
    const value: unknown = JSON.parse(stored ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
