export type Random = ReturnType<typeof createRandom>

/** Creates a Mulberry32 generator: the same seed gives the same numbers. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    int,
    chance: (probability: number) => next() < probability,
    pick: <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T,
    shuffle: <T>(items: readonly T[]): T[] =>
      items
        .map((item) => ({ item, rank: next() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  }
}

/**
 * Creates a function that draws every item once before it repeats an item. It avoids items in `used` while others are
 * left, and adds the drawn item to `used`.
 */
export function createBag<T>(random: Random, items: readonly T[]): (used?: Set<T>) => T {
  let left: T[] = []
  return (used = new Set()) => {
    const isUnused = (item: T) => !used.has(item)
    if (left.length === 0 || (!left.some(isUnused) && items.some(isUnused))) left = [...random.shuffle(items), ...left]
    const at = left.findLastIndex(isUnused)
    const [drawn] = left.splice(at, 1) as [T]
    used.add(drawn)
    return drawn
  }
}
