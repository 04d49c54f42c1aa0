import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { type PostgresServer, startPostgres } from '#tests/helpers/postgresServer.ts'
import { bindProcess, type Cores, cpuOfTree } from './machine.ts'
import { runToEnd, type Server, startServer } from './servers.ts'

export type DatabaseName = 'PGlite' | 'PostgreSQL'

/** A data folder and the database that belongs to it. */
export type Place = {
  name: DatabaseName
  start: (env?: Record<string, string>, nodeOptions?: string[]) => Promise<Server>
  /** runs an operator's command to its end */
  command: (program: string[]) => Promise<void>
  /** opens the database beside the running site, or without it */
  open: () => Promise<DatabaseHandle>
  remove: () => Promise<void>
}
/** Makes empty places of one kind. */
export type Places = { name: DatabaseName; make: () => Promise<Place>; close: () => Promise<void> }

const COMMON = {
  NEWS_FEEDS: '',
  THREAD_POST_LIMIT: '1000000',
  THREAD_BYTE_LIMIT: '1GB',
  THREAD_NODE_LIMIT: '10000000',
  SECRET_KEY: 'a secret that only this run knows, long enough',
  ADMIN_EMAIL: 'admin@example.org',
  ADMIN_PASSWORD: 'administrator',
  // Each visitor of the load has an address of its own, as behind a proxy: limits are counted, and never reached.
  TRUST_PROXY: '127.0.0.1',
  RATE_SITE_FACTOR: '100000',
  // As npm start and the image have it.
  MALLOC_ARENA_MAX: '2',
}

/** The embedded database: its CPU and memory are the site's own. */
export function embeddedPlaces(cores: Cores): Places {
  return { name: 'PGlite', make: () => makePlace('PGlite', cores), close: async () => {} }
}

/** One PostgreSQL on the site's core; each place is a database in it. */
export async function postgresPlaces(cores: Cores): Promise<Places> {
  const server = await startPostgres({ durable: true })
  bindProcess(server.pid, cores)
  let made = 0
  return {
    name: 'PostgreSQL',
    make: async () => {
      const database = `bench_${++made}`
      await server.createDatabase(database)
      return makePlace('PostgreSQL', cores, { server, url: server.url(database) })
    },
    close: () => server.stop(),
  }
}

async function makePlace(
  name: DatabaseName,
  cores: Cores,
  postgres?: { server: PostgresServer; url: string },
): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-data-'))
  const own = { ...COMMON, DATA_DIR: dataDir, ...(postgres && { DATABASE_URL: postgres.url }) }
  return {
    name,
    start: (env = {}, nodeOptions = []) =>
      startServer({
        program: [...nodeOptions, 'dist/current/site/main.mjs'],
        env: { ...own, ...env },
        cores,
        path: '/',
        ...(postgres && { databaseCpu: () => cpuOfTree(postgres.server.pid) }),
      }),
    command: ([program, ...args]) => runToEnd([`dist/current/site/${program}.mjs`, ...args], own),
    open: () => openDatabase({ dataDir, databaseUrl: postgres?.url, mode: 'command' }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}
