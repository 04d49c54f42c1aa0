import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'
import { createNetworkBudget } from './networkBudget.ts'

/** What is kept of one request's body. */
export type BodyReservation = {
  /** @throws AppError 503 when that would be too much over all requests or of this network */
  take(bytes: number): void
}

export type BodyBudget = ReturnType<typeof createBodyBudget>

/** Bounds the bytes of bodies that are in memory at the same time: with large uploads that never end, a few could take all. */
export function createBodyBudget(limits: { perNetwork: number; total: number }) {
  const budget = createNetworkBudget(limits)
  const holdings = new WeakMap<ServerResponse, BodyReservation>()

  return {
    /** Counts what is kept of a request's body until its answer has ended, in whatever way. */
    reservationFor(request: FastifyRequest, reply: FastifyReply): BodyReservation {
      const known = holdings.get(reply.raw)
      if (known) return known
      // Its `close` came before and would never come again: the client is gone.
      if (reply.raw.closed) throw errors.badRequest(errorTexts.badRequest)
      const taken: (() => void)[] = []
      reply.raw.once('close', () => {
        for (const giveBack of taken.splice(0)) giveBack()
      })
      const holding: BodyReservation = {
        take(bytes) {
          const giveBack = reply.raw.closed ? null : budget.take(request.ip, bytes)
          if (!giveBack) throw errors.unavailable(errorTexts.unavailable)
          taken.push(giveBack)
        },
      }
      holdings.set(reply.raw, holding)
      return holding
    },

    /** Bytes of bodies that are kept now. */
    bytes: () => budget.total(),
  }
}
