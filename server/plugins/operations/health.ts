import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Services } from '#server/core/context.ts'
import { errorCode } from '#server/core/errors.ts'
import { rejectsWrites } from '#server/core/storage/diskSpace.ts'

type Result = {
  /** why the site is not ready */
  cause: string | null
  /** why files cannot be stored */
  files: string | null
  /** why writes are rejected */
  disk: string | null
}

const READY_MS = 2000
/** Reuses the result of a check for this time. */
const RESULT_TTL_MS = 1000

/**
 * `/healthz` shows that the process responds. `/readyz`, for load balancers, shows that database and files work and
 * that the server is not starting or shutting down. A failing bucket and a full disk are only reported: pages work without
 * them.
 */
export function registerHealth(
  app: FastifyInstance,
  { db, files, irc, diskSpace, config }: Pick<Services, 'db' | 'files' | 'irc' | 'diskSpace' | 'config'>,
  { isShuttingDown }: Pick<GracefulShutdown, 'isShuttingDown'>,
  isStarted: () => boolean,
): void {
  let logged: string | null = null

  const findCause = cacheFor(RESULT_TTL_MS, async (): Promise<Result> => {
    const [database, storage, free] = await Promise.all([
      check('the database does not answer', db.execute(sql`select 1`)),
      check('files cannot be stored', files.check()),
      diskSpace(),
    ])
    log([database, storage].filter(Boolean).join('; ') || null)
    const causes = files.isShared ? [database] : [database, storage]
    const disk = rejectsWrites(config, free) ? 'the disk is nearly full: writes are rejected' : null
    return { cause: causes.filter(Boolean).join('; ') || null, files: storage, disk }
  })

  function log(cause: string | null): void {
    if (cause && cause !== logged) app.log.error({ cause }, 'the site is not ready')
    if (!cause && logged) app.log.info('the site is ready again')
    logged = cause
  }

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isShuttingDown()) return reply.code(503).send({ status: 'closing', cause: 'the site is closing' })
    if (!isStarted()) return reply.code(503).send({ status: 'starting', cause: 'the site is starting' })
    const { cause, files: filesCause, disk } = await findCause()
    if (cause !== null) return reply.code(503).send({ status: 'unavailable', cause })
    // The site is ready without IRC and without the bucket, so these only inform.
    return {
      ...(disk === null ? { status: 'ok' } : { status: 'degraded', cause: disk }),
      ...(irc.isConfigured && { irc: irc.state() }),
      ...(filesCause !== null && { files: filesCause }),
    }
  })
}

const check = (reason: string, result: Promise<unknown>) =>
  withTimeout(result, READY_MS).then(
    () => null,
    (error) => `${reason} (${errorCode(error)})`,
  )

/** the server stops listening after this time without new requests */
const QUIET_MS = 100
/** the server stops listening after this time even if new requests still arrive */
const MAX_WAIT_MS = 1500

export type GracefulShutdown = ReturnType<typeof registerGracefulShutdown>

/** Sends `connection: close` for a moment before the port closes: closing at once would reset active connections. */
export function registerGracefulShutdown(app: FastifyInstance) {
  let isShuttingDown = false
  let lastRequestAt = 0
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isShuttingDown) lastRequestAt = performance.now()
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isShuttingDown) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    isShuttingDown = true
  })
  return {
    isShuttingDown: () => isShuttingDown,
    /** Starts the shutdown and resolves when the port can be closed. */
    async drain(): Promise<void> {
      isShuttingDown = true
      const startedAt = performance.now()
      lastRequestAt = startedAt
      while (performance.now() - lastRequestAt < QUIET_MS && performance.now() - startedAt < MAX_WAIT_MS)
        await sleep(20)
      // Lets the server accept connections that are already queued.
      await turn()
    },
  }
}
