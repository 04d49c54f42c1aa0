import { resolve } from 'node:path'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { openEmbedded } from './embedded.server.ts'
import { migratePostgres } from './migrate.server.ts'
import { openPool } from './pool.server.ts'
import * as schema from './schema/index.ts'

export type Database = PostgresJsDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Notifications on the channel 'site', from every process and connection. */
export type Events = {
  /** Returns the function that ends it. */
  subscribe(listener: (payload: string) => void): () => void
  /** The listening connection was lost and is back: something may have been missed. */
  onLost(listener: () => void): () => void
}

export type DatabaseHandle = {
  db: Database
  /** dates come as text here: Drizzle takes their parsers out of the connection they share */
  sql: Sql
  events: Events
  kind: 'embedded' | 'postgres'
  close(): Promise<void>
}

export type DatabaseOptions = {
  databaseUrl?: string
  dataDir: string
  /** a command joins the site that runs on the folder, where a second site is refused */
  mode?: 'site' | 'command'
  /** the embedded database died; by default the process ends with one line and code 1 */
  onCrash?: (error: Error) => void
}

const CHANNEL = 'site'
const quiet = { onnotice: () => {} }
/** Connections close when they are lost, and only then. */
const lasting = { max_lifetime: null }

/** Opens the migrated database: PostgreSQL at `databaseUrl`, without it the embedded one in `dataDir`. */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  return options.databaseUrl ? openPostgres(options.databaseUrl) : openFolder(options)
}

async function openPostgres(databaseUrl: string): Promise<DatabaseHandle> {
  // s; by default the waits grow to 20 s, and so would the trouble after the database is back
  const common = { ...quiet, ...lasting, connect_timeout: 10, backoff: () => 0.5 }
  await connectAndMigrate(databaseUrl, common)
  const { events, emit, lose } = makeEvents()
  const listener = postgres(databaseUrl, { ...common, max: 1 })
  let listening = false
  try {
    await listener.listen(CHANNEL, emit, () => {
      if (listening) lose()
      listening = true
    })
  } catch (error) {
    await listener.end({ timeout: 1 })
    throw error
  }
  const pool = openPool((onclose) =>
    postgres(databaseUrl, {
      ...common,
      onclose,
      max: 10,
      connection: {
        application_name: 'dtp-site',
        // ms; a query or a transaction that hangs holds its connection and its locks against all others
        statement_timeout: 15_000,
        idle_in_transaction_session_timeout: 10_000,
      },
    }),
  )
  const close = async () => {
    await Promise.all([pool.close(3), listener.end({ timeout: 3 })])
  }
  return { db: drizzle(pool.sql, { schema }), sql: pool.sql, events, kind: 'postgres', close }
}

/** On a connection without time limits: a migration may take long, or wait for another process that migrates. */
async function connectAndMigrate(databaseUrl: string, options: postgres.Options<Record<string, never>>): Promise<void> {
  const connection = postgres(databaseUrl, { ...options, max: 1 })
  try {
    await connection`select 1`.catch((error) => {
      const { host, port } = connection.options
      const reason = error.code === 'ECONNREFUSED' ? 'connection refused' : error.message || error.code
      throw new Error(`Cannot connect to the database at ${host[0]}:${port[0]}: ${reason}`, { cause: error })
    })
    await migratePostgres(connection)
  } finally {
    await connection.end({ timeout: 1 })
  }
}

async function openFolder({ dataDir, mode = 'site', onCrash = stopProcess }: DatabaseOptions): Promise<DatabaseHandle> {
  const { events, emit } = makeEvents()
  const embedded = await openEmbedded({ dataDir: resolve(dataDir), onNotification: emit, onCrash })
  if (mode === 'site' && !embedded.owned) throw new Error(`Another site is already running on ${dataDir}`)
  const pool = openPool((onclose) =>
    postgres({
      ...quiet,
      // all connections share one session, where the statements which a recycled one prepared would pile up
      ...lasting,
      onclose,
      path: embedded.path,
      user: 'postgres',
      database: 'postgres',
      max: 6,
      connect_timeout: 30,
    }),
  )
  const close = async () => {
    await pool.close(3)
    await embedded.close()
  }
  return { db: drizzle(pool.sql, { schema }), sql: pool.sql, events, kind: 'embedded', close }
}

function stopProcess(error: Error): void {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

function makeEvents(): { events: Events; emit: (payload: string) => void; lose: () => void } {
  const listeners = new Set<(payload: string) => void>()
  const lostListeners = new Set<() => void>()
  const add = <Listener>(set: Set<Listener>, listener: Listener) => {
    set.add(listener)
    return () => {
      set.delete(listener)
    }
  }
  return {
    events: {
      subscribe: (listener) => add(listeners, listener),
      onLost: (listener) => add(lostListeners, listener),
    },
    emit: (payload) => {
      for (const listener of listeners) listener(payload)
    },
    lose: () => {
      for (const listener of lostListeners) listener()
    },
  }
}
