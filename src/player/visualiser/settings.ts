import { readStoredFields, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'
import { presetNames } from './presetNames.ts'

const KEY = 'visualiser'
export const CYCLE_SECONDS = { min: 5, max: 120, step: 5 }
export const BLEND_SECONDS = { min: 0, max: 10, step: 0.5 }

const defaults = {
  cycle: false,
  cycleSeconds: 30,
  blendSeconds: 3,
  /** keeps the current preset, even if `cycle` is on */
  locked: false,
  favourites: [] as string[],
  /** restricts the list, Next, Random and cycling to favourites */
  onlyFavourites: false,
}
type VisualiserSettings = typeof defaults

const store = createStore(defaults, loadSettings())

export const getSettings = store.get
export const useSettings = store.useValue

export function setSettings(change: Partial<VisualiserSettings>) {
  store.set({ ...getSettings(), ...change })
  writeStored(KEY, getSettings())
}

/** Unlocks the preset when cycling starts, because a locked preset does not cycle. */
export const toggleCycle = () => setSettings(getSettings().cycle ? { cycle: false } : { cycle: true, locked: false })

export const toggleLocked = () => setSettings({ locked: !getSettings().locked })

export function toggleFavourite(name: string) {
  const { favourites } = getSettings()
  setSettings({
    favourites: favourites.includes(name) ? favourites.filter((other) => other !== name) : [...favourites, name],
  })
}

/** Replaces invalid values with defaults. */
function loadSettings(): VisualiserSettings {
  const stored = { ...defaults, ...readStoredFields(KEY, defaults) }
  const { cycleSeconds, blendSeconds, favourites } = stored
  const isWithin = (seconds: number, { min, max }: { min: number; max: number }) => seconds >= min && seconds <= max
  return {
    ...stored,
    cycleSeconds: isWithin(cycleSeconds, CYCLE_SECONDS) ? cycleSeconds : defaults.cycleSeconds,
    blendSeconds: isWithin(blendSeconds, BLEND_SECONDS) ? blendSeconds : defaults.blendSeconds,
    favourites: Array.isArray(favourites) ? presetNames.filter((name) => favourites.includes(name)) : [],
  }
}
