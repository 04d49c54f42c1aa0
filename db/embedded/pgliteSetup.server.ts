import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip, createGzip } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Row } from 'postgres'
import { extract, pack } from 'tar-stream'
import { migrationsFolder, NEWER_DATA, OtherVersionError, rejectNewerData } from '#db/migrate.server.ts'

/**
 * Enables fsync, which PGlite disables (`DatabaseFiles` does it), and reduces the shared buffers from 128 MB. PGlite's
 * `mmap` writes zeros into all of them at the start, its `shmget` leaves them untouched until they are used. All clients
 * share one session, so more connections would only need memory. Old files of the write-ahead log are deleted instead of
 * reused, because they contain deleted data.
 */
export const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[
    'shared_buffers=16MB',
    'shared_memory_type=sysv',
    'max_connections=1',
    'wal_sync_method=fsync',
    'wal_recycle=off',
  ].flatMap((setting) => ['-c', setting]),
]

/** The PostgreSQL version in PGlite. PGlite reveals it only after it opens files. */
const POSTGRES_VERSION = 18

/**
 * Rejects files of another PostgreSQL version, because PGlite fails on them without a reason.
 * @param version content of PG_VERSION
 */
export function rejectOtherFormat(version: string): void {
  const found = Number.parseInt(version, 10)
  if (found > POSTGRES_VERSION) throw new OtherVersionError(NEWER_DATA)
  if (found < POSTGRES_VERSION) {
    throw new OtherVersionError(
      'The data was made by an older version of this program: back it up with that one, then restore it with this one',
    )
  }
}

export async function migrateEmbedded(database: PGlite): Promise<void> {
  await rejectNewerData(async (text) => (await database.query<Row>(text)).rows)
  await migrate(drizzle(database), { migrationsFolder })
  await dropTemplates(database)
}

/**
 * Drops the databases from which PostgreSQL creates others. Nothing can connect to `template0`, so nothing could protect it
 * from the wraparound of transaction ids, which would stop all writes.
 */
export async function dropTemplates(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    "select datname as name from pg_database where datname in ('template0', 'template1')",
  )
  if (rows.length === 0) return
  await database.exec('update pg_database set datistemplate = false')
  for (const { name } of rows) await database.exec(`drop database ${name}`)
}

/**
 * Writes a migrated, empty database as a gzipped tar. Unpacking the tar is faster than migrating and needs less memory. The
 * database is closed before: otherwise, its first start would recover it as after a crash, and sync each file.
 */
export async function createTemplate(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'template-'))
  try {
    const database = await PGlite.create({ dataDir: folder, startParams })
    await migrateEmbedded(database)
    await database.close()
    const archive = pack()
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = relative(folder, path)
      if (entry.isDirectory()) archive.entry({ name, type: 'directory' })
      else archive.entry({ name }, readFileSync(path))
    }
    archive.finalize()
    await pipeline(archive, createGzip(), createWriteStream(file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Unpacks the template of a build. PGlite would have to start twice for it. @returns false if there is none */
export async function unpackTemplate(folder: string): Promise<boolean> {
  const file = fileURLToPath(new URL('../template.tar.gz', import.meta.url))
  if (import.meta.url.endsWith('.ts') || !existsSync(file)) return false
  const archive = extract()
  const unpacking = pipeline(createReadStream(file), createGunzip(), archive)
  for await (const entry of archive) {
    const path = join(folder, entry.header.name)
    if (entry.header.type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 })
    else await writeEntry(path, entry)
    entry.resume()
  }
  await unpacking
  return true
}

/** Writes without a stream: the template has 700 files, most of them small. */
async function writeEntry(path: string, content: AsyncIterable<unknown>): Promise<void> {
  const file = openSync(path, 'w', 0o600)
  try {
    for await (const chunk of content) writeFileSync(file, chunk as Uint8Array)
  } finally {
    closeSync(file)
  }
}
