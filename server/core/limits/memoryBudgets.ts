import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createNetworkBudget } from './networkBudget.ts'

export type BodyReservation = {
  /** @throws AppError 503 if the network or the site has no memory left */
  take(bytes: number): void
}

export type BodyBudget = ReturnType<typeof createBodyBudget>

/** Limits memory for request bodies: otherwise a few large uploads that never end could use up all memory. */
export function createBodyBudget(limits: { perNetwork: number; total: number }) {
  const budget = createNetworkBudget(limits)

  return {
    /** Creates a reservation that lasts until the response is closed. */
    reserve(request: FastifyRequest, reply: FastifyReply): BodyReservation {
      // A closed response emits no second `close` event, so the reservation would never be released.
      if (reply.raw.closed) throw errors.badRequest(refusal('failure.badRequest'))
      const releases: (() => void)[] = []
      reply.raw.once('close', () => {
        for (const release of releases.splice(0)) release()
      })
      return {
        take(bytes) {
          const release = reply.raw.closed ? null : budget.take(request.ip, bytes)
          if (!release) throw errors.unavailable(refusal('failure.unavailable'))
          releases.push(release)
        },
      }
    },

    bytes: () => budget.total(),
  }
}

/** Calls that do not come over HTTP have no `raw` and are not counted. */
export type HttpRequester = { ip: string; raw?: IncomingMessage }

type Usage = { bytes: number; releases: (() => void)[]; isClosed: boolean }

/** Limits memory for responses that clients have not read yet. */
export type ResponseBudget = ReturnType<typeof createResponseBudget>

export function createResponseBudget(limits: { perNetwork: number; total: number }) {
  const budget = createNetworkBudget(limits)
  const usages = new WeakMap<IncomingMessage, Usage>()

  function release(usage: Usage): void {
    for (const free of usage.releases.splice(0)) free()
    usage.bytes = 0
  }

  function take(usage: Usage, ip: string, bytes: number): boolean {
    const free = budget.take(ip, bytes)
    if (!free) return false
    usage.releases.push(free)
    usage.bytes += bytes
    return true
  }

  return {
    /** Starts counting for a request. @returns a function to call when the response was sent or closed */
    open(request: IncomingMessage): () => void {
      const usage: Usage = { bytes: 0, releases: [], isClosed: false }
      usages.set(request, usage)
      return () => {
        usage.isClosed = true
        release(usage)
      }
    },

    /** Reserves memory. Call it before building a large response or deleting the returned data. @throws AppError 503 */
    reserve({ ip, raw }: HttpRequester, bytes: number): void {
      const usage = raw && usages.get(raw)
      if (!usage) return
      if (usage.isClosed || !take(usage, ip, bytes)) throw errors.unavailable(refusal('failure.tooManyUnread'))
    },

    /**
     * Replaces the reservation with the real size.
     * @param isOnlyCopy whether the client cannot request the response again: then a lack of memory does not throw
     * @throws AppError 503 if no memory is left
     */
    settle({ ip, raw }: HttpRequester, bytes: number, isOnlyCopy: boolean): void {
      const usage = raw && usages.get(raw)
      if (!usage || usage.isClosed) return
      const reserved = usage.bytes
      release(usage)
      if (take(usage, ip, bytes)) return
      if (!isOnlyCopy) throw errors.unavailable(refusal('failure.tooManyUnread'))
      take(usage, ip, Math.min(bytes, reserved))
    },

    bytes: () => budget.total(),
  }
}
