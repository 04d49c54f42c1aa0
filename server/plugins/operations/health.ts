import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import { codeOf } from '#server/core/errors.ts'
import type { Leaving } from './gracefulShutdown.ts'

/** ms a database has to answer that it is there */
const READY_MS = 2000
/** ms an answer holds: how often anybody asks costs nothing */
const REMEMBERED_MS = 1000

/**
 * `/healthz`: it serves. `/readyz`: database and files answer too, and it is not about to end; whoever spreads the
 * requests over several sites asks it. A 503 names the cause, which is logged when it begins and when it is over.
 */
export function registerHealth(
  app: FastifyInstance,
  { db, files }: Pick<Services, 'db' | 'files'>,
  { isLeaving }: Pick<Leaving, 'isLeaving'>,
): void {
  let known: { at: number; cause: Promise<string | null> } | undefined
  let logged: string | null = null

  function findCause(): Promise<string | null> {
    if (known && performance.now() - known.at < REMEMBERED_MS) return known.cause
    const checks = [
      check('the database does not answer', db.execute(sql`select 1`)),
      check('files cannot be stored', files.check()),
    ]
    const cause = Promise.all(checks).then((causes) => causes.filter(Boolean).join('; ') || null)
    known = { at: performance.now(), cause: cause.then(log) }
    return known.cause
  }

  function log(cause: string | null): string | null {
    if (cause && cause !== logged) app.log.error({ cause }, 'the site is not ready')
    if (!cause && logged) app.log.info('the site is ready again')
    logged = cause
    return cause
  }

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isLeaving()) return reply.code(503).send({ status: 'closing', cause: 'the site is closing' })
    const cause = await findCause()
    return cause === null ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', cause })
  })
}

/** Resolves with null, or with what it means that `coming` failed. */
const check = (meaning: string, coming: Promise<unknown>) =>
  withTimeout(coming, READY_MS).then(
    () => null,
    (error) => `${meaning} (${codeOf(error)})`,
  )
