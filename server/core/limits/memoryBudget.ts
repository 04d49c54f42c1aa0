import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '#server/core/errors.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import { createNetworkBudget } from './networkBudget.ts'

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
