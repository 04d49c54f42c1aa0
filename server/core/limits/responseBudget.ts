import type { IncomingMessage } from 'node:http'
import { errors } from '#server/core/errors.ts'
import { createNetworkBudget } from './networkBudget.ts'

const NO_ROOM = 'Too many answers to your network have not been read yet. Please try again in a moment.'

/** A request over HTTP, or whatever else asks; only what came over HTTP is counted. */
export type HttpRequester = { ip: string; raw?: IncomingMessage }

type Share = { bytes: number; giveBack: (() => void)[]; isClosed: boolean }

/**
 * Bounds the bytes of answers that wait in memory until their clients have read them: a client that asks and does not
 * read would otherwise keep whatever it asked for.
 */
export type ResponseBudget = ReturnType<typeof createResponseBudget>

export function createResponseBudget(limits: { perNetwork: number; total: number }) {
  const budget = createNetworkBudget(limits)
  const shares = new WeakMap<IncomingMessage, Share>()

  function release(share: Share): void {
    for (const giveBack of share.giveBack.splice(0)) giveBack()
    share.bytes = 0
  }

  function take(share: Share, ip: string, bytes: number): boolean {
    const giveBack = budget.take(ip, bytes)
    if (!giveBack) return false
    share.giveBack.push(giveBack)
    share.bytes += bytes
    return true
  }

  return {
    /** Starts to count for a request. @returns ends it, when the answer was sent or its connection has closed */
    open(request: IncomingMessage): () => void {
      const share: Share = { bytes: 0, giveBack: [], isClosed: false }
      shares.set(request, share)
      return () => {
        share.isClosed = true
        release(share)
      }
    },

    /**
     * Reserves room before a large answer is made, and before anything is deleted for it.
     * @throws AppError 503 where the network or the site has no room
     */
    reserve({ ip, raw }: HttpRequester, bytes: number): void {
      const share = raw && shares.get(raw)
      if (!share) return
      if (share.isClosed || !take(share, ip, bytes)) throw errors.unavailable(NO_ROOM)
    },

    /**
     * Replaces what was reserved for a request by the size of its answer.
     * @param isOwed the answer cannot be had again: without room only what was reserved stays counted
     * @throws AppError 503 where there is no room
     */
    settle({ ip, raw }: HttpRequester, bytes: number, isOwed: boolean): void {
      const share = raw && shares.get(raw)
      if (!share || share.isClosed) return
      const reserved = share.bytes
      release(share)
      if (take(share, ip, bytes)) return
      if (!isOwed) throw errors.unavailable(NO_ROOM)
      take(share, ip, Math.min(bytes, reserved))
    },

    /** Bytes that wait now, or are being made. */
    bytes: () => budget.total(),
  }
}
