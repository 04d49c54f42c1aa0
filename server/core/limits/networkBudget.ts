import { networksOf } from './networks.ts'

/** `perNetwork` applies to an IPv4 address or an IPv6 /64. Wider IPv6 networks get a multiple of it. */
type Limits = { perNetwork: number; total?: number }

/** Limits what visitors use at the same time, for example bytes or connections. */
export function createNetworkBudget({ perNetwork, total = Number.POSITIVE_INFINITY }: Limits) {
  const taken = new Map<string, number>()
  let all = 0

  function add(keys: string[], amount: number) {
    all += amount
    for (const key of keys) {
      const left = (taken.get(key) ?? 0) + amount
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
  }

  return {
    /** @returns a function that releases the amount, or null if a network or the total would exceed its limit */
    take(address: string | undefined, amount = 1): (() => void) | null {
      const networks = networksOf(address)
      const isOver = networks.some(({ key, share }) => (taken.get(key) ?? 0) + amount > perNetwork * share)
      if (isOver || all + amount > total) return null
      const keys = networks.map(({ key }) => key)
      add(keys, amount)
      let isReleased = false
      return () => {
        if (!isReleased) add(keys, -amount)
        isReleased = true
      }
    },
    total: () => all,
  }
}
