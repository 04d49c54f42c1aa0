import { networksOf } from './networks.ts'

/** Bounds what visitors hold at the same time: bytes, connections, places. */
export type NetworkBudget = {
  /**
   * Takes an amount for an address, or nothing at all where one of its networks or the total would exceed its limit.
   * @returns gives the amount back, once; null when refused
   */
  take(address: string | undefined, amount?: number): (() => void) | null
  /** how much is taken in all */
  total(): number
}

/**
 * Creates a budget counted by network: a visitor (an IPv4 address or a /64) may hold `perNetwork`, the wider IPv6
 * networks a multiple of it, all visitors together `total`.
 */
export function createNetworkBudget({
  perNetwork,
  total = Number.POSITIVE_INFINITY,
}: {
  perNetwork: number
  total?: number
}): NetworkBudget {
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
    take(address, amount = 1) {
      const networks = networksOf(address)
      const isOver = networks.some(({ key, share }) => (taken.get(key) ?? 0) + amount > perNetwork * share)
      if (isOver || all + amount > total) return null
      const keys = networks.map(({ key }) => key)
      add(keys, amount)
      let isHeld = true
      return () => {
        if (isHeld) add(keys, -amount)
        isHeld = false
      }
    },
    total: () => all,
  }
}
