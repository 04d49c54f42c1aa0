import { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { openEmbedded } from '#db/embedded/embedded.server.ts'
import { migratePostgres, rejectNewerData } from './migrate.server.ts'
import { openListener } from './notificationListener.server.ts'
import { createPool } from './pool.server.ts'
import * as schema from './schema/index.ts'

export type Database = PostgresJsDatabase<typeof schema> & { $client: Sql }
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

export type Events = {
  subscribe(listener: (payload: string) => void): () => void
  /** Calls the listener after a lost connection is replaced: the process may have missed notifications. */
  onReconnect(listener: () => void): () => void
}

export type DatabaseHandle = {
  db: Database
  /** Returns dates as text: Drizzle shares this connection and removes its date parsers. */
  sql: Sql
  events: Events
  kind: 'embedded' | 'postgres'
  close(): Promise<void>
}

export type DatabaseOptions = {
  databaseUrl?: string
  dataDir: string
  /** If a site runs on the data folder, a command shares its database, but a second site and a restore are rejected. */
  mode?: 'site' | 'restore' | 'command'
  onCrash?: (error: Error) => void
  /** maximum ms per query; CLI commands have no timeout */
  timeoutMs?: number
  heartbeatMs?: number
}

/** Longer than PostgreSQL's own statement timeout, so that PostgreSQL's more precise error comes first. */
const QUERY_TIMEOUT_MS = 20_000
const HEARTBEAT_MS = 15_000
const CLOSE_TIMEOUT_SECONDS = 2
const CHANNEL = 'site'
/**
 * `max_lifetime: null`: connections must not expire, because createPool treats every closed connection as lost.
 * `fetch_types: false`: postgres.js reads the types of arrays on each connection, and does not handle its failure. No
 * query sends or returns an array.
 */
const connectionOptions = { onnotice: () => {}, max_lifetime: null, fetch_types: false }

export async function openDatabase(options: DatabaseOptions): Promise<DatabaseHandle> {
  const { databaseUrl, mode = 'site', timeoutMs = QUERY_TIMEOUT_MS } = options
  const queryTimeoutMs = mode === 'site' ? timeoutMs : undefined
  return databaseUrl
    ? openPostgres(databaseUrl, queryTimeoutMs, options.heartbeatMs)
    : openEmbeddedDatabase(options, queryTimeoutMs)
}

async function openPostgres(
  databaseUrl: string,
  timeoutMs: number | undefined,
  heartbeatMs = HEARTBEAT_MS,
): Promise<DatabaseHandle> {
  // In seconds. The default delay between attempts grows to 20 s and would slow the recovery after an outage.
  const common = { ...connectionOptions, connect_timeout: 10, backoff: () => 0.5 }
  await connectAndMigrate(databaseUrl, common)
  const { events, emit, emitReconnect } = createEvents()
  const connect = (onclose: () => void) =>
    postgres(databaseUrl, {
      ...common,
      onclose,
      max: 10,
      connection: {
        ...sessionSettings,
        application_name: 'dtp-site',
        // In milliseconds. Without limits, a query or transaction that hangs would keep its connection and its locks.
        statement_timeout: 15_000,
        idle_in_transaction_session_timeout: 10_000,
      },
    })
  const pool = createPool(connect, { timeoutMs })
  const listener = await openListener({
    open: (handlers) => postgres(databaseUrl, { ...common, ...handlers, max: 1 }),
    channel: CHANNEL,
    onPayload: emit,
    onReconnect: emitReconnect,
    heartbeatMs,
  }).catch(async (error) => {
    await pool.close(1)
    throw error
  })
  const close = async () => {
    await Promise.all([pool.close(CLOSE_TIMEOUT_SECONDS), listener.close()])
  }
  return { db: drizzle(pool.sql, { schema }), sql: pool.sql, events, kind: 'postgres', close }
}

type ConnectionOptions = postgres.Options<Record<string, never>>

/** Settings that change results or their text. They override those of the role, the database and the server. */
export const sessionSettings = {
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  transform_null_equals: 'off',
  standard_conforming_strings: 'on',
  gin_fuzzy_search_limit: '0',
  default_transaction_isolation: 'read committed' as const,
}

/** Migrates without time limits: a migration may take long or wait for another process. */
export async function connectAndMigrate(databaseUrl: string, options: ConnectionOptions): Promise<void> {
  const connection = await connectPostgres(databaseUrl, options)
  try {
    await migratePostgres(connection)
  } finally {
    await connection.end({ timeout: 1 })
  }
}

/**
 * Connects and waits until PostgreSQL answers.
 * @throws Error with a one-line reason that does not contain the password, or if the database cannot store all texts
 */
export async function connectPostgres(databaseUrl: string, options: ConnectionOptions): Promise<Sql> {
  const connection = postgres(databaseUrl, { connection: sessionSettings, ...options, max: 1 })
  const read = connection<{ name: string; encoding: string }[]>`
    select current_database() as name, current_setting('server_encoding') as encoding`
  const [database] = await read.catch(async (error: NodeJS.ErrnoException) => {
    await connection.end({ timeout: 1 })
    const { host, port } = connection.options
    const reason = error.code === 'ECONNREFUSED' ? 'connection refused' : error.message || error.code
    throw new Error(`Cannot connect to the database at ${host[0]}:${port[0]}: ${reason}`, { cause: error })
  })
  if (!database || database.encoding === 'UTF8') return connection
  await connection.end({ timeout: 1 })
  throw new Error(
    `The database ${database.name} has the encoding ${database.encoding}, which cannot store all characters. Create one with ENCODING 'UTF8' TEMPLATE template0`,
  )
}

async function openEmbeddedDatabase(
  { dataDir, mode = 'site', onCrash = stopProcess }: DatabaseOptions,
  timeoutMs: number | undefined,
): Promise<DatabaseHandle> {
  const { events, emit } = createEvents()
  const embedded = await openEmbedded({ dataDir: resolve(dataDir), onNotification: emit, onCrash })
  if (mode === 'site' && !embedded.owned)
    throw new Error(`Cannot start: another site is already running on ${dataDir}. Stop it or set another DATA_DIR`)
  if (mode === 'restore' && !embedded.owned)
    throw new Error(`Cannot restore: a site is running on ${dataDir}. Stop it first`)
  const connect = (onclose: () => void) =>
    postgres({
      ...connectionOptions,
      onclose,
      path: embedded.path,
      user: 'postgres',
      database: 'postgres',
      max: 6,
      connect_timeout: 30,
      connection: timeoutMs === undefined ? {} : { statement_timeout: timeoutMs },
    })
  const pool = createPool(connect, { timeoutMs, isAnswerCertain: true })
  const close = async () => {
    await pool.close(CLOSE_TIMEOUT_SECONDS)
    await embedded.close()
  }
  try {
    // The process that owns the database may be a newer version and may have migrated it.
    if (!embedded.owned) await rejectNewerData(pool.sql.unsafe)
  } catch (error) {
    await close()
    throw error
  }
  return { db: drizzle(pool.sql, { schema }), sql: pool.sql, events, kind: 'embedded', close }
}

/**
 * Opens one more connection, with another statement timeout. `SET` would not do: all clients of the embedded database
 * share one session.
 */
export function openOwnConnection({ $client: { options } }: Database, timeoutMs: number): Sql {
  const connection = { ...options.connection, statement_timeout: timeoutMs }
  return postgres({ ...(options as object), max: 1, onclose: () => {}, connection })
}

function stopProcess(error: Error): void {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

function createEvents() {
  const emitter = new EventEmitter().setMaxListeners(0)
  const add = (name: 'payload' | 'reconnect', listener: (payload: string) => void) => {
    emitter.on(name, listener)
    return () => void emitter.off(name, listener)
  }
  const events: Events = {
    subscribe: (listener) => add('payload', listener),
    onReconnect: (listener) => add('reconnect', listener),
  }
  return {
    events,
    emit: (payload: string) => void emitter.emit('payload', payload),
    emitReconnect: () => void emitter.emit('reconnect'),
  }
}
