import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../core/context.ts'

/** `/healthz`: it serves. `/readyz`: database and files answer too. */
export function registerHealth(app: FastifyInstance, { db, files }: Pick<Services, 'db' | 'files'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await Promise.all([db.execute(sql`select 1`), files.check()])
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}
