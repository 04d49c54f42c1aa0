import { resolve } from 'node:path'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { openEmbedded } from './embedded.server.ts'
import { migratePostgres, rejectNewerData } from './migrate.server.ts'
import { openListener } from './notificationListener.server.ts'
import { openPool } from './pool.server.ts'
import * as schema from './schema/index.ts'

export type Database = PostgresJsDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Notifications on the channel 'site', from every process and connection. */
export type Events = {
  /** Returns the function that ends it. */
  subscribe(listener: (payload: string) => void): () => void
  /** The listening connection was lost and is back: something may have been missed. */
  onReconnect(listener: () => void): () => void
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
  /** ms the site waits for an answer; a command waits for ever */
  timeoutMs?: number
  /** ms between two proofs that changes are still heard of */
  heartbeatMs?: number
}

/** Longer than PostgreSQL gives a statement, so that it can say itself what took too long. */
const ANSWER_MS = 20_000
const BEAT_MS = 15_000
/** s for what is still being asked when the database closes */
const CLOSE_S = 2
const CHANNEL = 'site'
const quiet = { onnotice: () => {} }
/** Connections close when they are lost, and only then. */
const lasting = { max_lifetime: null }

/** Opens the migrated database: PostgreSQL at `databaseUrl`, without it the embedded one in `dataDir`. */
export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const { databaseUrl, mode = 'site', timeoutMs = ANSWER_MS } = options
  const patience = mode === 'site' ? timeoutMs : undefined
  return databaseUrl ? openPostgres(databaseUrl, patience, options.heartbeatMs) : openFolder(options, patience)
}

async function openPostgres(
  databaseUrl: string,
  timeoutMs: number | undefined,
  heartbeatMs = BEAT_MS,
): Promise<DatabaseHandle> {
  // s; by default the waits grow to 20 s, and so would the trouble after the database is back
  const common = { ...quiet, ...lasting, connect_timeout: 10, backoff: () => 0.5 }
  await connectAndMigrate(databaseUrl, common)
  const { events, emit, lose } = makeEvents()
  const connect = (onclose: () => void) =>
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
    })
  const pool = openPool(connect, { timeoutMs, replaceOnTimeout: true })
  const listener = await openListener({
    open: (handlers) => postgres(databaseUrl, { ...common, ...handlers, max: 1 }),
    channel: CHANNEL,
    onPayload: emit,
    onReconnect: lose,
    heartbeatMs,
  }).catch(async (error) => {
    await pool.close(1)
    throw error
  })
  const close = async () => {
    await Promise.all([pool.close(CLOSE_S), listener.close()])
  }
  return { db: drizzle(pool.sql, { schema }), sql: pool.sql, events, kind: 'postgres', close }
}

type ConnectionOptions = postgres.Options<Record<string, never>>

/** On a connection without time limits: a migration may take long, or wait for another process that migrates. */
export async function connectAndMigrate(databaseUrl: string, options: ConnectionOptions): Promise<void> {
  const connection = await connectPostgres(databaseUrl, options)
  try {
    await migratePostgres(connection)
  } finally {
    await connection.end({ timeout: 1 })
  }
}

/**
 * One connection that has answered.
 * @throws Error with one line that says why there is none, without the password
 */
export async function connectPostgres(databaseUrl: string, options: ConnectionOptions): Promise<Sql> {
  const connection = postgres(databaseUrl, { ...options, max: 1 })
  try {
    await connection`select 1`
    return connection
  } catch (error) {
    await connection.end({ timeout: 1 })
    const { host, port } = connection.options
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ECONNREFUSED' ? 'connection refused' : message || code
    throw new Error(`Cannot connect to the database at ${host[0]}:${port[0]}: ${reason}`, { cause: error })
  }
}

async function openFolder(
  { dataDir, mode = 'site', onCrash = stopProcess }: DatabaseOptions,
  timeoutMs: number | undefined,
): Promise<DatabaseHandle> {
  const { events, emit } = makeEvents()
  const embedded = await openEmbedded({ dataDir: resolve(dataDir), onNotification: emit, onCrash })
  if (mode === 'site' && !embedded.owned) throw new Error(`Another site is already running on ${dataDir}`)
  const connect = (onclose: () => void) =>
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
    })
  // All connections are served in turn by one session: one that is silent only waits for another's turn to end.
  const pool = openPool(connect, { timeoutMs, replaceOnTimeout: false })
  const close = async () => {
    await pool.close(CLOSE_S)
    await embedded.close()
  }
  try {
    // Who runs the folder has brought it up to date, and may be another version than this command.
    if (!embedded.owned) await rejectNewerData(pool.sql)
  } catch (error) {
    await close()
    throw error
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
      onReconnect: (listener) => add(lostListeners, listener),
    },
    emit: (payload) => {
      for (const listener of listeners) listener(payload)
    },
    lose: () => {
      for (const listener of lostListeners) listener()
    },
  }
}
