import { LRUCache } from 'lru-cache'
import { visitorNetwork } from '#server/core/limits/networks.ts'

/** A program that tries to connect with a wrong password. */
export type RefusedSource = { network: string; client: string; attempts: number; lastAt: Date }

/** Programs repeat their attempts within seconds. */
const KEEP_MS = 5 * 60_000
/** Limits memory. */
const MAX_PROGRAMS = 1000

/** Remembers for some minutes which programs were refused, because streamers do not see the answers. */
export function createRefusedSources(now: () => Date) {
  const refused = new LRUCache<string, RefusedSource>({ max: MAX_PROGRAMS, ttl: KEEP_MS })
  return {
    add(address: string, client: string): void {
      const network = visitorNetwork(address)
      const key = `${network} ${client}`
      const attempts = (refused.get(key)?.attempts ?? 0) + 1
      refused.set(key, { network, client, attempts, lastAt: now() })
    },
    /** Returns the programs, the latest first. */
    list: (): RefusedSource[] => [...refused.values()],
  }
}
