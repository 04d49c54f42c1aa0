import { base, extra } from 'virtual:presets'
import { initialPlayer } from '#src/player/store.ts'

/** in the same order as `load` in `virtual:presets/load` */
export const presetNames = [...base, ...extra]

const knownNames = new Set(presetNames)

/** Returns the default for a stored preset that no longer exists. */
export const resolvePreset = (name: string): string => (knownNames.has(name) ? name : initialPlayer.preset)

export function searchPresets(from: string[], text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return from.filter((name) => words.every((word) => name.toLowerCase().includes(word)))
}
