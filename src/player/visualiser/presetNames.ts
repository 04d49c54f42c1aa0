import { base, extra } from 'virtual:presets'
import { initialPlayer } from '#src/player/store.ts'

/** The names of all presets, in the order of their modules. */
export const names = [...base, ...extra]

const known = new Set(names)

/** The preset of this name; what was kept from a time with other presets becomes the first one of all. */
export const resolvePreset = (name: string): string => (known.has(name) ? name : initialPlayer.preset)

/** Those of the names that have every typed word in them, whatever its case. */
export function searchPresets(from: string[], text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return from.filter((name) => words.every((word) => name.toLowerCase().includes(word)))
}
