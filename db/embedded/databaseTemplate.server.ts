import { existsSync, openAsBlob } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { migrateEmbedded, startParams } from './pgliteSetup.server.ts'

/**
 * Writes a migrated, empty database as a gzipped tar. Unpacking the tar is faster than migrating and needs less memory.
 */
export async function createTemplate(file: string): Promise<void> {
  const database = await PGlite.create({ dataDir: 'memory://', startParams })
  await migrateEmbedded(database)
  await database.exec('checkpoint')
  const dump = await database.dumpDataDir('gzip')
  await database.close()
  await rm(file, { force: true })
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
}

export async function findTemplate(): Promise<Blob | undefined> {
  if (import.meta.url.endsWith('.ts')) return undefined
  const file = fileURLToPath(new URL('../template.tar.gz', import.meta.url))
  return existsSync(file) ? openAsBlob(file) : undefined
}
