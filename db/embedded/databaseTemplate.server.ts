import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { extract } from 'tar-stream'
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

/** Unpacks the template of a build. PGlite would have to start twice for it. @returns false if there is none */
export async function unpackTemplate(folder: string): Promise<boolean> {
  const file = fileURLToPath(new URL('../template.tar.gz', import.meta.url))
  if (import.meta.url.endsWith('.ts') || !existsSync(file)) return false
  const archive = extract()
  const unpacking = pipeline(createReadStream(file), createGunzip(), archive)
  for await (const entry of archive) {
    const path = join(folder, entry.header.name)
    if (entry.header.type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 })
    else await pipeline(entry, createWriteStream(path, { mode: 0o600 }))
    entry.resume()
  }
  await unpacking
  return true
}
