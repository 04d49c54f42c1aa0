import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'

/** `/healthz`: it serves. `/readyz`: the database answers too. */
export function registerHealth(app: FastifyInstance, { db }: Pick<DatabaseHandle, 'db'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await db.execute(sql`select 1`)
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}
