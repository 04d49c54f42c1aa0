import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { connectAndMigrate, connectPostgres, type DatabaseOptions } from './client.server.ts'
import { openEmbedded } from './embedded.server.ts'
import { rejectNewerData } from './migrate.server.ts'
import { openPool } from './pool.server.ts'

export type MaintenanceDatabase = {
  /** one connection, without limits of time */
  sql: Sql
  kind: 'embedded' | 'postgres'
  close(): Promise<void>
}

type SiteLocation = Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'>

/** What a role sets for its sessions would cut off what may take long. */
const unlimited = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 }
const readerName = { application_name: 'dtp-backup', ...unlimited }
const restorerName = { application_name: 'dtp-restore', ...unlimited }
const common = { onnotice: () => {}, max: 1, max_lifetime: null, connect_timeout: 10 }

/**
 * Opens the database of a site to read it, running or not.
 * @throws Error where there is no site: an empty backup would pass for a good one
 */
export async function openForBackup(location: SiteLocation): Promise<MaintenanceDatabase> {
  const database = await (location.databaseUrl ? joinPostgres(location.databaseUrl) : joinFolder(location.dataDir))
  try {
    if (!(await rejectNewerData(database.sql))) throw new Error('There is no site in this database')
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Opens the migrated database to write it anew.
 * @throws Error while a site runs on it
 */
export async function openForRestore(location: SiteLocation): Promise<MaintenanceDatabase> {
  if (!location.databaseUrl) {
    const embedded = await startFolder(location.dataDir)
    if (!embedded.owned) throw new Error(`A site is running on ${location.dataDir}: stop it first`)
    return overSocket(embedded)
  }
  const first = await joinPostgres(location.databaseUrl)
  await rejectRunningSite(first.sql).finally(first.close)
  await connectAndMigrate(location.databaseUrl, common)
  return overNetwork(location.databaseUrl, restorerName)
}

/** @throws Error while a site is connected to this PostgreSQL database */
export async function rejectRunningSite(sql: Pick<Sql, 'unsafe'>): Promise<void> {
  const [found] = await sql.unsafe<{ sites: number }[]>(`select count(*)::int as sites from pg_stat_activity
    where datname = current_database() and application_name = 'dtp-site'`)
  if (found?.sites) throw new Error('A site is running on this database: stop it first, every process of it')
}

async function joinPostgres(databaseUrl: string): Promise<MaintenanceDatabase> {
  await (await connectPostgres(databaseUrl, common)).end()
  return overNetwork(databaseUrl, readerName)
}

function overNetwork(databaseUrl: string, connection: typeof readerName): MaintenanceDatabase {
  const pool = openPool((onclose) => postgres(databaseUrl, { ...common, connection, onclose }))
  return { sql: pool.sql, kind: 'postgres', close: () => pool.close(1) }
}

async function joinFolder(dataDir: string): Promise<MaintenanceDatabase> {
  await access(join(dataDir, 'db', 'PG_VERSION')).catch(() => {
    throw new Error(`There is no site in ${dataDir}`)
  })
  return overSocket(await startFolder(dataDir))
}

/** Should the database die, the connections to it end with an error, and so does what is being done. */
const startFolder = (dataDir: string) =>
  openEmbedded({ dataDir: resolve(dataDir), onNotification: () => {}, onCrash: () => {} })

function overSocket({ path, close }: Awaited<ReturnType<typeof startFolder>>): MaintenanceDatabase {
  const pool = openPool((onclose) => postgres({ ...common, path, user: 'postgres', database: 'postgres', onclose }))
  const closeBoth = async () => {
    await pool.close(1)
    await close()
  }
  return { sql: pool.sql, kind: 'embedded', close: closeBoth }
}
