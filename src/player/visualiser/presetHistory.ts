const LONGEST = 200

/** The shown presets in order, and the current index. */
export type PresetHistory = { shown: string[]; at: number }

export const emptyHistory: PresetHistory = { shown: [], at: -1 }

export const current = ({ shown, at }: PresetHistory): string | undefined => shown[at]

export function visit(trail: PresetHistory, name: string): PresetHistory {
  if (current(trail) === name) return trail
  const shown = [...trail.shown.slice(0, trail.at + 1), name].slice(-LONGEST)
  return { shown, at: shown.length - 1 }
}

/** Goes back; at the start of the history, to the previous preset in the pool. */
export function back({ shown, at }: PresetHistory, pool: string[]): PresetHistory {
  if (at > 0) return { shown, at: at - 1 }
  const name = neighbour(shown[at], pool, -1)
  return name === undefined ? { shown, at } : { shown: [name, ...shown].slice(0, LONGEST), at: 0 }
}

/** Goes forward; at the end of the history, to the next preset in the pool. */
export function forward(trail: PresetHistory, pool: string[]): PresetHistory {
  const { shown, at } = trail
  if (at < shown.length - 1) return { shown, at: at + 1 }
  const name = neighbour(shown[at], pool, 1)
  return name === undefined ? trail : visit(trail, name)
}

/** Goes to a random other preset in the pool. */
export function leap(trail: PresetHistory, pool: string[], random: () => number = Math.random): PresetHistory {
  const others = pool.filter((name) => name !== current(trail))
  const name = others[Math.floor(random() * others.length)]
  return name === undefined ? trail : visit(trail, name)
}

/** Wraps around; for a name outside the pool, returns its first or last preset. */
function neighbour(name: string | undefined, pool: string[], step: 1 | -1): string | undefined {
  const at = name === undefined ? -1 : pool.indexOf(name)
  if (at < 0) return pool.at(step > 0 ? 0 : -1)
  return pool[(at + step + pool.length) % pool.length]
}
