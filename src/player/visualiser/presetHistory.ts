const MAX_LENGTH = 200

export type PresetHistory = { presets: string[]; index: number }

export const emptyHistory: PresetHistory = { presets: [], index: -1 }

export const currentPreset = ({ presets, index }: PresetHistory): string | undefined => presets[index]

export function addPreset(history: PresetHistory, name: string): PresetHistory {
  if (currentPreset(history) === name) return history
  const presets = [...history.presets.slice(0, history.index + 1), name].slice(-MAX_LENGTH)
  return { presets, index: presets.length - 1 }
}

/** Goes back. At the start of the history, goes to the previous preset in the pool. */
export function goBack({ presets, index }: PresetHistory, pool: string[]): PresetHistory {
  if (index > 0) return { presets, index: index - 1 }
  const name = neighbour(presets[index], pool, -1)
  return name === undefined ? { presets, index } : { presets: [name, ...presets].slice(0, MAX_LENGTH), index: 0 }
}

/** Goes forward. At the end of the history, goes to the next preset in the pool. */
export function goForward(history: PresetHistory, pool: string[]): PresetHistory {
  const { presets, index } = history
  if (index < presets.length - 1) return { presets, index: index + 1 }
  const name = neighbour(presets[index], pool, 1)
  return name === undefined ? history : addPreset(history, name)
}

export function goToRandom(history: PresetHistory, pool: string[], random: () => number = Math.random): PresetHistory {
  const others = pool.filter((name) => name !== currentPreset(history))
  const name = others[Math.floor(random() * others.length)]
  return name === undefined ? history : addPreset(history, name)
}

/** Returns the next or previous preset, and wraps around. A name outside the pool gives the first or last preset. */
function neighbour(name: string | undefined, pool: string[], step: 1 | -1): string | undefined {
  const index = name === undefined ? -1 : pool.indexOf(name)
  if (index < 0) return pool.at(step > 0 ? 0 : -1)
  return pool[(index + step + pool.length) % pool.length]
}
