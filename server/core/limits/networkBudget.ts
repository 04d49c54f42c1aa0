import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '#server/core/errors.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
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

/** Calls that do not come over HTTP have no `raw` and are not counted. */
type HttpRequester = { ip: string; raw?: IncomingMessage }

export type MemoryBudget = ReturnType<typeof createMemoryBudget>

/**
 * Limits the memory of requests: otherwise a few large uploads that never end, or responses that clients do not read,
 * could use up all memory.
 */
export function createMemoryBudget(
  limits: { perNetwork: number; total: number },
  refused: Refusal = refusal('failure.unavailable'),
) {
  const budget = createNetworkBudget(limits)
  const usages = new WeakMap<IncomingMessage, { bytes: number; releases: (() => void)[]; isClosed: boolean }>()

  return {
    /** Starts counting for a request. Releases its memory when the response was sent or closed. */
    open(request: IncomingMessage, response: ServerResponse): void {
      // A closed response emits no second `close` event.
      const usage = { bytes: 0, releases: [] as (() => void)[], isClosed: response.closed }
      usages.set(request, usage)
      response.once('close', () => {
        usage.isClosed = true
        for (const release of usage.releases.splice(0)) release()
      })
    },

    /** @throws AppError 503 if the network or the site has no memory left, or the response is closed */
    take({ ip, raw }: HttpRequester, bytes: number): void {
      const usage = raw && usages.get(raw)
      if (!usage) return
      const release = usage.isClosed ? null : budget.take(ip, bytes)
      if (!release) throw errors.unavailable(refused)
      usage.releases.push(release)
      usage.bytes += bytes
    },

    bytesOf: (request: IncomingMessage): number => usages.get(request)?.bytes ?? 0,

    bytes: () => budget.total(),
  }
}
