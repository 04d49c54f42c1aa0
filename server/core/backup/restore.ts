import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { openForRestore, rejectRunningSite } from '#db/maintenance.server.ts'
import { ensureDataDir } from '#server/core/cli/startup.ts'
import { openFileStore } from '#server/core/storage/openStores.ts'
import type { RunOptions } from './format.ts'
import { isSiteUsed, restoreFiles, restoreRows } from './loadArchive.ts'
import { chooseRestoredSecret, type SiteLocation, stageSecret } from './secret.ts'
import { quoteIdentifier, siteTables } from './tables.ts'
import { type VerifiedArchive, verifyArchive } from './verifyArchive.ts'

type Options = RunOptions & {
  replace: boolean
  /** restores although the site has another secret; the backup's pastes become unreadable */
  otherSecret: boolean
  print: (line: string) => void
}

const COPY = /^\.restore-[0-9a-f-]{36}\.tmp$/
/** Another restore may still read a younger copy. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000

/** Removes the copies of backups that killed restores left in the data folder, because they can contain the secret. */
export async function removeOldCopies({ dataDir }: Pick<SiteLocation, 'dataDir'>): Promise<void> {
  const names = (await readdir(dataDir).catch(nullIfMissing)) ?? []
  for (const path of names.filter((name) => COPY.test(name)).map((name) => join(dataDir, name))) {
    const found = await stat(path).catch(nullIfMissing)
    if (found && found.mtimeMs < Date.now() - MIN_AGE_MS) await rm(path, { force: true })
  }
}

/** Restores a backup from a stream. Copies the stream to a temporary file, because a restore reads the backup twice. */
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
 * Restores a backup. An error before the commit leaves the site unchanged; later errors say that the rows are restored.
 * @throws ArchiveError if the backup cannot be used
 */
export async function restore(path: string, location: SiteLocation, options: Options): Promise<VerifiedArchive> {
  await removeOldCopies(location)
  const verified = await verifyArchive(path, options)
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
    await restoreFiles(path, files, added, options)
    const replaceSecret = await stageSecret(location, secret)
    await database.sql.begin(async (tx) => {
      // The lock blocks a site that starts now. `rejectRunningSite` detects a site that is already running.
      await tx.unsafe(
        `lock table ${siteTables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access exclusive mode`,
      )
      if (database.kind === 'postgres') await rejectRunningSite(tx)
      await rejectUsedSite(tx)
      await restoreRows(tx, path, verified.manifest, options)
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
