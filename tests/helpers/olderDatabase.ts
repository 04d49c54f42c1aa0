import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { migrationsFolder } from '#db/migrate.server.ts'
import type { TestDatabase } from './databases.ts'

/** Brings an empty database to the state before a migration. @param before name of the migration's file, without its ending */
export async function migrateUntil({ databaseUrl, dataDir }: TestDatabase, before: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  await cp(migrationsFolder, folder, { recursive: true })
  const journalPath = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(journalPath, 'utf8')) as { entries: { tag: string }[] }
  const end = journal.entries.findIndex(({ tag }) => tag === before)
  await writeFile(journalPath, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
  const options = { migrationsFolder: folder }
  if (databaseUrl) {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await migrate(drizzle(sql), options).finally(() => sql.end())
  } else {
    const database = await PGlite.create(join(dataDir, 'db'))
    await migratePglite(drizzlePglite(database), options).finally(() => database.close())
  }
  await rm(folder, { recursive: true })
}

/** Runs statements without migrating the database. */
export async function runStatements({ databaseUrl, dataDir }: TestDatabase, statements: string): Promise<void> {
  if (databaseUrl) {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await sql.unsafe(statements).finally(() => sql.end())
  } else {
    const database = await PGlite.create(join(dataDir, 'db'))
    await database.exec(statements).finally(() => database.close())
  }
}
