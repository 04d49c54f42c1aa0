import { access } from 'node:fs/promises'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import {
  connectAndMigrate,
  connectPostgres,
  type DatabaseHandle,
  type DatabaseOptions,
  openDatabase,
  sessionSettings,
} from './client.server.ts'
import { rejectNewerData } from './migrate.server.ts'
import { createPool } from './pool.server.ts'

export type MaintenanceDatabase = Pick<DatabaseHandle, 'sql' | 'kind' | 'close'>

type SiteLocation = Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'>

/** Overrides timeouts that the database role may have. */
const unlimited = { ...sessionSettings, statement_timeout: 0, idle_in_transaction_session_timeout: 0 }
const backupConnection = { application_name: 'dtp-backup', ...unlimited }
const restoreConnection = { application_name: 'dtp-restore', ...unlimited }
const common = { onnotice: () => {}, max: 1, max_lifetime: null, connect_timeout: 10 }

/** @throws Error if the database has no site: an empty backup would look like a good backup */
export async function openForBackup(location: SiteLocation): Promise<MaintenanceDatabase> {
  const database = await (location.databaseUrl ? joinPostgres(location.databaseUrl) : joinFolder(location.dataDir))
  try {
    if (!(await rejectNewerData(database.sql.unsafe)))
      throw new Error('Cannot back up: this database holds no site. Check DATABASE_URL')
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** @throws Error if a site is running on the database */
export async function openForRestore(location: SiteLocation): Promise<MaintenanceDatabase> {
  if (!location.databaseUrl) return openFolder(location.dataDir, 'restore')
  const first = await joinPostgres(location.databaseUrl)
  await rejectRunningSite(first.sql).finally(first.close)
  await connectAndMigrate(location.databaseUrl, common)
  return overNetwork(location.databaseUrl, restoreConnection)
}

export async function rejectRunningSite(sql: Pick<Sql, 'unsafe'>): Promise<void> {
  const [found] = await sql.unsafe<{ sites: number }[]>(`select count(*)::int as sites from pg_stat_activity
    where datname = current_database() and application_name = 'dtp-site'`)
  if (found?.sites) throw new Error('Cannot restore: a site is running on this database. Stop all its processes first')
}

async function joinPostgres(databaseUrl: string): Promise<MaintenanceDatabase> {
  await (await connectPostgres(databaseUrl, common)).end()
  return overNetwork(databaseUrl, backupConnection)
}

function overNetwork(databaseUrl: string, connection: typeof backupConnection): MaintenanceDatabase {
  const pool = createPool((onclose) => postgres(databaseUrl, { ...common, connection, onclose }))
  return { sql: pool.sql, kind: 'postgres', close: () => pool.close(1) }
}

async function joinFolder(dataDir: string): Promise<MaintenanceDatabase> {
  await access(join(dataDir, 'db', 'PG_VERSION')).catch(() => {
    throw new Error(`Cannot back up: there is no site in ${dataDir}. Check DATA_DIR`)
  })
  return openFolder(dataDir, 'command')
}

// `onCrash` does nothing: after a crash, all connections fail and the command ends with their error.
const openFolder = (dataDir: string, mode: 'restore' | 'command') => openDatabase({ dataDir, mode, onCrash: () => {} })
