/** Random numbers that depend only on a seed. */
export type Random = {
  /** from 0 to below 1 */
  next(): number
  chance(probability: number): boolean
  /** a whole number, both ends included */
  int(low: number, high: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
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
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => items[int(0, items.length - 1)] as T,
    shuffle(items) {
      const mixed = [...items]
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = int(0, at)
        ;[mixed[at], mixed[other]] = [mixed[other] as never, mixed[at] as never]
      }
      return mixed
    },
  }
}

/** Draws every item once before it repeats one. */
export type Bag<T> = {
  /** @param used items to avoid while others are left; the drawn item is added */
  draw(used?: Set<T>): T
}

export function createBag<T>(random: Random, items: readonly T[]): Bag<T> {
  let left: T[] = []
  return {
    draw(used = new Set()) {
      const isFresh = (item: T) => !used.has(item)
      if (left.length === 0 || (!left.some(isFresh) && items.some(isFresh))) left = [...random.shuffle(items), ...left]
      const fresh = left.findLastIndex(isFresh)
      const [drawn] = left.splice(fresh < 0 ? left.length - 1 : fresh, 1) as [T]
      used.add(drawn)
      return drawn
    },
  }
}
