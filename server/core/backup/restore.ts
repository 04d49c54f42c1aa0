import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForRestore, rejectRunningSite } from '#db/maintenance.server.ts'
import { ensureDataDir } from '#server/core/cli/startup.ts'
import { openFileStore } from '#server/core/storage/openStores.ts'
import type { RunOptions } from './format.ts'
import { isSiteUsed, restoreFiles, restoreRows } from './loadArchive.ts'
import type { ArchiveSource } from './readArchive.ts'
import { chooseRestoredSecret, type SiteLocation, stageSecret } from './secret.ts'
import { quoteIdentifier, siteTables } from './tables.ts'
import { type VerifiedArchive, verifyArchive } from './verifyArchive.ts'
import { createStream, openUnlinkedFile, readPart } from './writeFile.ts'

type Options = RunOptions & {
  replace: boolean
  /** restores although the site has another secret; the backup's pastes become unreadable */
  otherSecret: boolean
  print: (line: string) => void
}

/** Restores a backup from a stream. Copies it to a temporary file, because a restore reads the backup several times. */
export async function restoreFromStream(
  input: Readable,
  location: SiteLocation,
  options: Options,
): Promise<VerifiedArchive> {
  await ensureDataDir(location)
  const copy = await openUnlinkedFile(location.dataDir)
  try {
    await pipeline(input, createStream(copy), { signal: options.signal })
    return await restore(async () => Readable.from(readPart(copy), { objectMode: false }), location, options)
  } finally {
    await copy.close()
  }
}

/**
 * Restores a backup. An error before the commit leaves the site unchanged; later errors say that the rows are restored.
 * @throws ArchiveError if the backup cannot be used
 */
export async function restore(
  source: ArchiveSource,
  location: SiteLocation,
  options: Options,
): Promise<VerifiedArchive> {
  const verified = await verifyArchive(source, options)
  const secret = await chooseRestoredSecret(verified, location, options)
  const database = await openForRestore(location)
  const files = openFileStore(location)
  const added: string[] = []
  try {
    const rejectUsedSite = async (sql: Pick<typeof database.sql, 'unsafe'>) => {
      if (options.replace || !(await isSiteUsed(sql))) return
      throw new Error(
        'Cannot restore: the site already has data. --replace overwrites it, and all current data is lost',
      )
    }
    await rejectUsedSite(database.sql)
    await restoreFiles(source, files, added, options)
    const replaceSecret = await stageSecret(location, secret)
    await database.sql.begin(async (tx) => {
      // The lock blocks a site that starts now. `rejectRunningSite` detects a site that is already running.
      await tx.unsafe(
        `lock table ${siteTables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access exclusive mode`,
      )
      if (database.kind === 'postgres') await rejectRunningSite(tx)
      await rejectUsedSite(tx)
      await restoreRows(tx, source, verified.manifest, options)
      // From now on, an error must not remove the files: the commit may succeed even if its response is lost.
      added.length = 0
    })
    await replaceSecret()
    // PostgreSQL has no statistics for the new rows, and the embedded database analyses tables only every few hours.
    await database.sql.unsafe('analyze').catch((error) => {
      options.print(`The site is restored, but will be slow for some hours: ANALYZE failed (${error.message})`)
    })
  } catch (error) {
    // The cleanup job removes the files that are left.
    await files.remove(added).catch(() => {})
    throw error
  } finally {
    await database.close()
  }
  return verified
}
