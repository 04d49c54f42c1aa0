import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/client.server.ts'
import { type PostgresServer, startPostgres } from '#tests/helpers/postgresServer.ts'

const TEMPLATE = 'template_site'

/** Global, because each project loads this module again. */
const shared = globalThis as { postgresServer?: Promise<PostgresServer> }

/** Starts one PostgreSQL server with a migrated database for the test run. Each test file copies the database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.postgresServer ??= startServer()
  const server = await shared.postgresServer
  project.provide('database', 'postgres')
  project.provide('databaseTemplate', server.url(TEMPLATE))
  return async () => {
    const isRunning = shared.postgresServer !== undefined
    shared.postgresServer = undefined
    if (isRunning) await server.stop()
  }
}

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres({ durable: false })
  await server.createDatabase(TEMPLATE)
  const handle = await openDatabase({ databaseUrl: server.url(TEMPLATE), dataDir: tmpdir() })
  await handle.close()
  return server
}
