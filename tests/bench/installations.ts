import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import connect from 'postgres'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { type PostgresServer, startPostgres } from '#tests/helpers/postgresServer.ts'
import { bindProcess, type Cores, cpuOfTree } from './machine.ts'
import { runProgram, type Server, startServer, type Usage } from './servers.ts'

export type DatabaseName = 'PGlite' | 'PostgreSQL'

/** A data folder and its database. */
export type Installation = {
  name: DatabaseName
  start: (env?: Record<string, string>, nodeOptions?: string[]) => Promise<Server>
  /** Runs a command of the site, such as `seed`. */
  command: (program: string[]) => Promise<Usage>
  /** opens the database, whether or not the site is running */
  open: () => Promise<DatabaseHandle>
  /** counts the statements that the site sends during `run`; null for the embedded database */
  countStatements: ((run: () => Promise<unknown>) => Promise<number>) | null
  remove: () => Promise<void>
}
/** Creates empty installations on one kind of database. */
export type InstallationFactory = {
  name: DatabaseName
  /** @param root folder of the build that it runs; default: the working tree */
  create: (root?: string) => Promise<Installation>
  close: () => Promise<void>
}

const COMMON = {
  NEWS_FEEDS: '',
  THREAD_POST_LIMIT: '1000000',
  THREAD_BYTE_LIMIT: '1GB',
  THREAD_NODE_LIMIT: '10000000',
  SECRET_KEY: 'a secret that only this run knows, long enough',
  ADMIN_EMAIL: 'admin@example.org',
  ADMIN_PASSWORD: 'administrator',
  // Gives each simulated visitor an address. Rate limits stay active, but no visitor reaches one.
  TRUST_PROXY: '127.0.0.1',
  RATE_SITE_FACTOR: '100000',
  // All groups but `raid` post faster than a community.
  RAID_POSTS_PER_MINUTE: '0',
  // Raises the request cost limits, which one visitor's uncached pages or many visitors' pastes would exceed.
  REQUEST_COST_PER_NETWORK: '1000000/0.00001s',
  REQUEST_COST_TOTAL: '1000000/0.00001s',
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the environment and the options of Node.js that `npm start` of a build sets, such as limits of memory. */
function startSettings(root = ROOT): { env: Record<string, string>; options: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const words = String(scripts.start).split(' ')
  const env = words.filter((word) => /^\w+=/.test(word)).map((word) => word.split('=') as [string, string])
  return { env: Object.fromEntries(env), options: words.filter((word) => word.startsWith('--')) }
}

/** The embedded database runs in the site's process, so the site's CPU time and memory include it. */
export function pgliteInstallations(cores: Cores): InstallationFactory {
  return { name: 'PGlite', create: (root) => createInstallation('PGlite', { cores, root }), close: async () => {} }
}

/** Starts one PostgreSQL server on the site's core. Each installation is a database on that server. */
export async function postgresInstallations(cores: Cores): Promise<InstallationFactory> {
  const server = await startPostgres({ durable: true })
  bindProcess(server.pid, cores)
  let count = 0
  return {
    name: 'PostgreSQL',
    create: async (root) => {
      const database = `bench_${++count}`
      await server.createDatabase(database)
      return createInstallation('PostgreSQL', { cores, root, postgres: { server, database } })
    },
    close: () => server.stop(),
  }
}

async function createInstallation(
  name: DatabaseName,
  { cores, root, postgres }: { cores: Cores; root?: string; postgres?: { server: PostgresServer; database: string } },
): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-data-'))
  const databaseUrl = postgres?.server.url(postgres.database)
  const { env: startEnv, options } = startSettings(root)
  const baseEnv = {
    ...COMMON,
    ...startEnv,
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  return {
    name,
    start: (env = {}, nodeOptions = []) =>
      startServer({
        program: [...options, ...nodeOptions, 'dist/current/site/main.mjs'],
        env: { ...baseEnv, ...env },
        cores,
        root,
        path: '/',
        ...(postgres && { databaseCpu: () => cpuOfTree(postgres.server.pid) }),
      }),
    command: ([program, ...args]) => runProgram([`dist/current/site/${program}.mjs`, ...args], baseEnv, root),
    open: () => openDatabase({ dataDir, databaseUrl, mode: 'command' }),
    countStatements: postgres ? (run) => countStatements(postgres, run) : null,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** Time for PostgreSQL to read its settings, and for its log to arrive. */
const LOG_MS = 500

/** Counts the statements on a database, from PostgreSQL's log. */
async function countStatements(
  { server, database }: { server: PostgresServer; database: string },
  run: () => Promise<unknown>,
): Promise<number> {
  const sql = connect(server.url('postgres'), { max: 1 })
  const set = async (...statements: string[]) => {
    for (const statement of [...statements, 'select pg_reload_conf()']) await sql.unsafe(statement)
    await sleep(LOG_MS)
  }
  try {
    await set("alter system set log_line_prefix = '%d '", "alter system set log_statement = 'all'")
    const start = server.output().length
    await run()
    await sleep(LOG_MS)
    return (
      server
        .output()
        .slice(start)
        .match(new RegExp(`^${database} LOG: {2}(statement|execute)`, 'gm'))?.length ?? 0
    )
  } finally {
    await set('alter system reset all')
    await sql.end()
  }
}
