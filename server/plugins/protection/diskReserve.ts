import type { FastifyInstance } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'
import { RESERVE_BYTES } from '#server/core/storage/diskSpace.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** What makes room, or is needed for that, by the end of the route's pattern or of the call's name. */
const TAKES_NO_ROOM = /[/.](delete\w*|read|captcha|login|logout)$/

/**
 * Refuses what would store something when the disk is nearly full: with the last bytes gone the embedded database would
 * stop, and all reading with it.
 */
export function registerDiskReserve(app: FastifyInstance, freeBytes: () => Promise<number>): void {
  let isTold = false
  app.addHook('onRequest', async ({ method, routeOptions, params }) => {
    if (READS.has(method) || method === 'DELETE') return
    const { path = routeOptions.url ?? '' } = params as { path?: string }
    if (path.split(',').every((call) => TAKES_NO_ROOM.test(call))) return
    const free = await freeBytes()
    if (free >= RESERVE_BYTES) {
      if (isTold) app.log.info({ free }, 'the disk has room again')
      isTold = false
      return
    }
    // Once, not for each that is refused.
    if (!isTold) app.log.error({ free, reserve: RESERVE_BYTES }, 'the disk is nearly full: nothing is stored')
    isTold = true
    throw errors.unavailable(errorTexts.unavailable, { retryAfter: 60 })
  })
}
