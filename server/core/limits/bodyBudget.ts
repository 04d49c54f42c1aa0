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
