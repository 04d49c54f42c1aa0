import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/client.server.ts'
import { startPostgres } from '#tests/helpers/postgresServer.ts'

const TEMPLATE = 'template_site'

/** Starts one PostgreSQL server with a migrated database for the test run. Each test file copies the database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ durable: false })
  await server.createDatabase(TEMPLATE)
  const handle = await openDatabase({ databaseUrl: server.url(TEMPLATE), dataDir: tmpdir() })
  await handle.close()
  project.provide('database', 'postgres')
  project.provide('databaseTemplate', server.url(TEMPLATE))
  return () => server.stop()
}
