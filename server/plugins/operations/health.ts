import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import { errorCode } from '#server/core/errors.ts'
import type { GracefulShutdown } from './gracefulShutdown.ts'

const READY_MS = 2000
/** Reuses the result of a check for this time. */
const RESULT_TTL_MS = 1000

/**
 * `/healthz` shows that the process responds. `/readyz`, for load balancers, shows that database and files work and
 * that the server is not shutting down.
 */
export function registerHealth(
  app: FastifyInstance,
  { db, files, irc }: Pick<Services, 'db' | 'files' | 'irc'>,
  { isShuttingDown }: Pick<GracefulShutdown, 'isShuttingDown'>,
): void {
  let lastCheck: { at: number; cause: Promise<string | null> } | undefined
  let logged: string | null = null

  function findCause(): Promise<string | null> {
    if (lastCheck && performance.now() - lastCheck.at < RESULT_TTL_MS) return lastCheck.cause
    const checks = [
      check('the database does not answer', db.execute(sql`select 1`)),
      check('files cannot be stored', files.check()),
    ]
    const cause = Promise.all(checks).then((causes) => causes.filter(Boolean).join('; ') || null)
    lastCheck = { at: performance.now(), cause: cause.then(log) }
    return lastCheck.cause
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
    if (isShuttingDown()) return reply.code(503).send({ status: 'closing', cause: 'the site is closing' })
    const cause = await findCause()
    // The site is ready without IRC, so this only informs.
    const ircState = irc.isConfigured ? { irc: irc.state() } : {}
    return cause === null ? { status: 'ok', ...ircState } : reply.code(503).send({ status: 'unavailable', cause })
  })
}

const check = (reason: string, result: Promise<unknown>) =>
  withTimeout(result, READY_MS).then(
    () => null,
    (error) => `${reason} (${errorCode(error)})`,
  )
