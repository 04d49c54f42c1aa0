import { useEffect, useMemo, useRef } from 'react'
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
import { useSettings } from './settings.ts'

/** Kept outside the component, to survive page navigation. */
let history: PresetHistory = emptyHistory

export function usePresets(running: boolean) {
  const preset = resolvePreset(usePlayer().preset)
  const { cycle, cycleSeconds, locked, favourites, onlyFavourites } = useSettings()
  const pool = onlyFavourites && favourites.length > 0 ? favourites : presetNames
  const latestPool = useRef(pool)
  latestPool.current = pool

  useEffect(() => {
    history = addPreset(history, preset)
  }, [preset])

  const actions = useMemo(() => {
    const navigate = (next: PresetHistory) => {
      history = next
      const name = currentPreset(next)
      if (name !== undefined) setPlayer({ preset: name })
    }
    return {
      choose: (name: string) => navigate(addPreset(history, name)),
      next: () => navigate(goForward(history, latestPool.current)),
      previous: () => navigate(goBack(history, latestPool.current)),
      random: () => navigate(goToRandom(history, latestPool.current)),
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every preset change restarts the timer
  useEffect(() => {
    if (!running || !cycle || locked) return
    const timer = setTimeout(actions.random, cycleSeconds * 1000)
    return () => clearTimeout(timer)
  }, [running, cycle, locked, cycleSeconds, preset, actions])

  return { preset, ...actions }
}
