import { useEffect } from 'react'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import {
  addPreset,
  currentPreset,
  emptyHistory,
  goBack,
  goForward,
  goToRandom,
  type PresetHistory,
} from './presetHistory.ts'
import { presetNames, resolvePreset } from './presetNames.ts'
import { getSettings, useSettings } from './settings.ts'

/** Kept outside components, to survive page navigation. */
let history: PresetHistory = emptyHistory

function listedPresets(): string[] {
  const { favourites, onlyFavourites } = getSettings()
  return onlyFavourites && favourites.length > 0 ? favourites : presetNames
}

function navigate(next: PresetHistory): void {
  history = next
  const name = currentPreset(next)
  if (name !== undefined) setPlayer({ preset: name })
}

export const choosePreset = (name: string) => navigate(addPreset(history, name))
export const nextPreset = () => navigate(goForward(history, listedPresets()))
export const previousPreset = () => navigate(goBack(history, listedPresets()))
export const randomPreset = () => navigate(goToRandom(history, listedPresets()))

/** Returns the chosen preset, and cycles presets while the visualiser is running. */
export function usePreset(running: boolean): string {
  const preset = resolvePreset(usePlayer().preset)
  const { cycle, cycleSeconds, locked } = useSettings()

  useEffect(() => {
    history = addPreset(history, preset)
  }, [preset])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every preset change restarts the timer
  useEffect(() => {
    if (!running || !cycle || locked) return
    const timer = setTimeout(randomPreset, cycleSeconds * 1000)
    return () => clearTimeout(timer)
  }, [running, cycle, locked, cycleSeconds, preset])

  return preset
}
