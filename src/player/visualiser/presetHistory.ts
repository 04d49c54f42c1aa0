/** The most presets that are remembered. */
const LONGEST = 200

/** The presets in the order they were shown, and where in it we are. */
export type PresetHistory = { shown: string[]; at: number }

export const emptyHistory: PresetHistory = { shown: [], at: -1 }

export const current = ({ shown, at }: PresetHistory): string | undefined => shown[at]

/** The trail after a preset has been shown, from wherever it was chosen. */
export function visit(trail: PresetHistory, name: string): PresetHistory {
  if (current(trail) === name) return trail
  const shown = [...trail.shown.slice(0, trail.at + 1), name].slice(-LONGEST)
  return { shown, at: shown.length - 1 }
}

/** One step back; at the beginning of the trail it is the one above in the list. */
export function back({ shown, at }: PresetHistory, pool: string[]): PresetHistory {
  if (at > 0) return { shown, at: at - 1 }
  const name = neighbour(shown[at], pool, -1)
  return name === undefined ? { shown, at } : { shown: [name, ...shown].slice(0, LONGEST), at: 0 }
}

/** One step on; at the end of the trail it is the one below in the list. */
export function forward(trail: PresetHistory, pool: string[]): PresetHistory {
  const { shown, at } = trail
  if (at < shown.length - 1) return { shown, at: at + 1 }
  const name = neighbour(shown[at], pool, 1)
  return name === undefined ? trail : visit(trail, name)
}

/** On to any other one of the pool. */
export function leap(trail: PresetHistory, pool: string[], random: () => number = Math.random): PresetHistory {
  const others = pool.filter((name) => name !== current(trail))
  const name = others[Math.floor(random() * others.length)]
  return name === undefined ? trail : visit(trail, name)
}

/** What stands beside a name, from the end round to the beginning; of a name that is not there, an end of the pool. */
function neighbour(name: string | undefined, pool: string[], step: 1 | -1): string | undefined {
  const at = name === undefined ? -1 : pool.indexOf(name)
  if (at < 0) return pool.at(step > 0 ? 0 : -1)
  return pool[(at + step + pool.length) % pool.length]
}
