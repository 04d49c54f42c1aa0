import { useEffect, useMemo, useRef } from 'react'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { back, current, emptyHistory, forward, leap, type PresetHistory, visit } from './presetHistory.ts'
import { names, resolvePreset } from './presetNames.ts'
import { useSettings } from './settings.ts'

/** Kept across page navigation. */
let trail: PresetHistory = emptyHistory

/** @param running whether presets may change automatically */
export function usePresets(running: boolean) {
  const preset = resolvePreset(usePlayer().preset)
  const { cycle, cycleSeconds, locked, favourites, onlyFavourites } = useSettings()
  const pool = onlyFavourites && favourites.length > 0 ? favourites : names
  const held = useRef(pool)
  held.current = pool

  useEffect(() => {
    trail = visit(trail, preset)
  }, [preset])

  const ways = useMemo(() => {
    const go = (next: PresetHistory) => {
      trail = next
      const name = current(next)
      if (name !== undefined) setPlayer({ preset: name })
    }
    return {
      choose: (name: string) => go(visit(trail, name)),
      next: () => go(forward(trail, held.current)),
      previous: () => go(back(trail, held.current)),
      random: () => go(leap(trail, held.current)),
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every preset change restarts the timer
  useEffect(() => {
    if (!running || !cycle || locked) return
    const timer = setTimeout(ways.random, cycleSeconds * 1000)
    return () => clearTimeout(timer)
  }, [running, cycle, locked, cycleSeconds, preset, ways])

  return { preset, ...ways }
}
