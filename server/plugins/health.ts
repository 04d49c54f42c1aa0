import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { within } from '#db/within.server.ts'
import type { Services } from '../core/context.ts'
import type { Leaving } from './leaving.ts'

/** ms a database has to answer that it is there */
const READY_MS = 2000
/** ms an answer holds: how often anybody asks costs nothing */
const REMEMBERED_MS = 1000

/**
 * `/healthz`: it serves. `/readyz`: database and files answer too, and it is not about to end; whoever spreads the
 * requests over several sites asks it.
 */
export function registerHealth(
  app: FastifyInstance,
  { db, files }: Pick<Services, 'db' | 'files'>,
  { isLeaving }: Pick<Leaving, 'isLeaving'>,
): void {
  let known: { at: number; ready: Promise<boolean> } | undefined

  function isReady(): Promise<boolean> {
    if (known && performance.now() - known.at < REMEMBERED_MS) return known.ready
    const look = Promise.all([db.execute(sql`select 1`), files.check()])
    const ready = within(READY_MS, look).then(
      () => true,
      () => false,
    )
    known = { at: performance.now(), ready }
    return ready
  }

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isLeaving() && (await isReady())) return { status: 'ok' }
    return reply.code(503).send({ status: isLeaving() ? 'closing' : 'unavailable' })
  })
}
