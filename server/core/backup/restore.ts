import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForRestore, rejectRunningSite } from '#db/maintenance.server.ts'
import { ensureDataDir } from '#server/core/cli/startup.ts'
import type { Config } from '#server/core/config/config.ts'
import { createFileStore } from '#server/core/storage/fileStore.ts'
import { isSiteUsed, restoreFiles, restoreRows } from './loadArchive.ts'
import { chooseRestoredSecret, stageSecret } from './secret.ts'
import { quoteIdentifier, siteTables } from './tables.ts'
import { type VerifiedArchive, verifyArchive } from './verifyArchive.ts'

type Options = {
  /** empties a site that is in use first */
  replace: boolean
  /** goes on where the site has another secret than the one backed up, and so loses its pastes */
  otherSecret: boolean
  signal: AbortSignal
  progress: (line: string) => void
  /** hears what the operator should know */
  print: (line: string) => void
}

type SiteLocation = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl' | 'secretKey'>>

/** Restores a backup that arrives as a stream. It is read twice, so it is kept in a file meanwhile. */
export async function restoreFromStream(
  input: Readable,
  location: SiteLocation,
  options: Options,
): Promise<VerifiedArchive> {
  await ensureDataDir(location)
  const path = join(resolve(location.dataDir), `.restore-${randomUUID()}.tmp`)
  try {
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: options.signal })
    return await restore(path, location, options)
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * Puts a backup in the place of an empty site: first it is read through, then come the files, then all rows in one
 * transaction. Whatever fails before its end, the site is what it was; what fails after it says that the rows are there.
 * @throws ArchiveError when the backup cannot be used
 */
export async function restore(path: string, location: SiteLocation, options: Options): Promise<VerifiedArchive> {
  const verified = await verifyArchive(path, options)
  const secret = await chooseRestoredSecret(verified, location, options)
  const database = await openForRestore(location)
  const files = createFileStore(resolve(location.dataDir, 'uploads'))
  const added: string[] = []
  try {
    const refuseUsed = async (sql: Pick<typeof database.sql, 'unsafe'>) => {
      if (options.replace || !(await isSiteUsed(sql))) return
      throw new Error('There is a site already: --replace restores over it, and all that is in it now is lost')
    }
    await refuseUsed(database.sql)
    await restoreFiles(path, files, added, options)
    const replaceSecret = await stageSecret(location, secret)
    await database.sql.begin(async (tx) => {
      // A site that starts meanwhile has to wait, and whoever came before is seen now.
      await tx.unsafe(
        `lock table ${siteTables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access exclusive mode`,
      )
      if (database.kind === 'postgres') await rejectRunningSite(tx)
      await refuseUsed(tx)
      await restoreRows(tx, path, verified.manifest, options)
      // From here on they belong to rows, even when no answer to the commit comes.
      added.length = 0
    })
    await replaceSecret()
    // Nothing is known of the new rows, and the embedded database looks by itself only every few hours.
    await database.sql.unsafe('analyze').catch((error) => {
      options.print(`All is restored, and slow for some hours: looking through it failed (${error.message})`)
    })
  } catch (error) {
    await files.remove(added)
    throw error
  } finally {
    await database.close()
  }
  return verified
}
