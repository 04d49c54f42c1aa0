import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { RESERVE_BYTES, rejectsWrites } from '#server/core/storage/diskSpace.ts'
import { refusal } from '#src/contract/refusal.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Matches the ends of routes and call names. These calls free space or are needed before that, such as login. */
const ALLOWED_CALLS = /[/.](delete\w*|takedowns?|read|captcha|login|logout)$/

/** Rejects writes when the disk is nearly full. On a full disk, the embedded database stops, and reads fail, too. */
export function registerDiskReserve(
  app: FastifyInstance,
  { diskSpace, config }: Pick<Services, 'diskSpace' | 'config'>,
): void {
  let isLogged = false
  app.addHook('onRequest', async ({ method, routeOptions, params }) => {
    if (READS.has(method) || method === 'DELETE') return
    const { path = routeOptions.url ?? '' } = params as { path?: string }
    if (path.split(',').every((call) => ALLOWED_CALLS.test(call))) return
    const free = await diskSpace()
    if (!rejectsWrites(config, free)) {
      if (isLogged) app.log.info({ free }, 'the disk has space again')
      isLogged = false
      return
    }
    if (!isLogged) app.log.error({ free, reserve: RESERVE_BYTES }, 'the disk is nearly full: writes are rejected')
    isLogged = true
    throw errors.unavailable(refusal('failure.unavailable'), { retryAfter: 60 })
  })
}
