import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForRestore, refuseRunning } from '#db/maintenance.server.ts'
import { ensureDataDir } from '#server/core/cli/startup.ts'
import type { Config } from '#server/core/config/config.ts'
import { folderStore } from '#server/core/storage/fileStore.ts'
import { isUsed, loadFiles, loadRows } from './loadArchive.ts'
import { prepareSecret, secretToWrite } from './secret.ts'
import { quoted, siteTables } from './tables.ts'
import { type Verified, verifyArchive } from './verifyArchive.ts'

type Options = {
  /** empties a site that is in use first */
  replace: boolean
  /** goes on where the site has another secret than the one backed up, and so loses its pastes */
  otherSecret: boolean
  signal: AbortSignal
  progress: (line: string) => void
  /** hears what the operator should know */
  tell: (line: string) => void
}

type Place = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl' | 'secretKey'>>

/** Restores a backup that arrives as a stream. It is read twice, so it is kept in a file meanwhile. */
export async function restoreFrom(input: Readable, place: Place, options: Options): Promise<Verified> {
  await ensureDataDir(place)
  const path = join(resolve(place.dataDir), `.restore-${randomUUID()}.tmp`)
  try {
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: options.signal })
    return await restore(path, place, options)
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * Puts a backup in the place of an empty site: first it is read through, then come the files, then all rows in one
 * transaction. Whatever fails before its end, the site is what it was; what fails after it says that the rows are there.
 * @throws ArchiveError when the backup cannot be used
 */
export async function restore(path: string, place: Place, options: Options): Promise<Verified> {
  const verified = await verifyArchive(path, options)
  const secret = await secretToWrite(verified, place, options)
  const database = await openForRestore(place)
  const files = folderStore(resolve(place.dataDir, 'uploads'))
  const added: string[] = []
  try {
    const refuseUsed = async (sql: Pick<typeof database.sql, 'unsafe'>) => {
      if (options.replace || !(await isUsed(sql))) return
      throw new Error('There is a site already: --replace restores over it, and all that is in it now is lost')
    }
    await refuseUsed(database.sql)
    await loadFiles(path, files, added, options)
    const replaceSecret = await prepareSecret(place, secret)
    await database.sql.begin(async (tx) => {
      // A site that starts meanwhile has to wait, and whoever came before is seen now.
      await tx.unsafe(`lock table ${siteTables.map(({ name }) => quoted(name)).join(', ')} in access exclusive mode`)
      if (database.kind === 'postgres') await refuseRunning(tx)
      await refuseUsed(tx)
      await loadRows(tx, path, verified.manifest, options)
      // From here on they belong to rows, even when no answer to the commit comes.
      added.length = 0
    })
    await replaceSecret()
    // Nothing is known of the new rows, and the embedded database looks by itself only every few hours.
    await database.sql.unsafe('analyze').catch((error) => {
      options.tell(`All is restored, and slow for some hours: looking through it failed (${error.message})`)
    })
  } catch (error) {
    await files.remove(added)
    throw error
  } finally {
    await database.close()
  }
  return verified
}
