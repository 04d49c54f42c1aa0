import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { createFreeSpaceReader } from '#server/core/storage/diskSpace.ts'
import { type BackupDestination, parseBackupName, type StoredBackup } from './destination.ts'
import { PARTIAL, writeFileAtomically } from './writeFile.ts'

/** Stores backups as files that only the site's user can read. */
export function createBackupFolder(folder: string): BackupDestination {
  const listNames = async () => (await readdir(folder).catch(nullIfMissing).catch(explain)) ?? []
  return {
    async list() {
      const stored = await Promise.all((await listNames()).map((name) => describe(folder, name)))
      return stored.filter((one) => one !== null).sort((a, b) => b.at.getTime() - a.at.getTime())
    },
    async add(name, { beforeWrite, write, verify }) {
      await createFolder(folder).catch(explain)
      return writeFileAtomically(join(folder, name), { force: false, beforeWrite, verify }, write)
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    async removePartial() {
      for (const name of await listNames()) {
        if (!name.endsWith(PARTIAL) || !parseBackupName(name.slice(0, -PARTIAL.length))) continue
        await rm(join(folder, name), { force: true })
      }
    },
    freeBytes: createFreeSpaceReader(folder),
  }
}

async function describe(folder: string, name: string): Promise<StoredBackup | null> {
  const at = parseBackupName(name)
  if (at === null) return null
  const file = await stat(join(folder, name)).catch(nullIfMissing)
  return file?.isFile() ? { name, at, bytes: file.size } : null
}

/** Creates the folder of the scheduled backups. @throws Error with one line that names the setting */
export async function verifyBackupFolder(folder: string): Promise<void> {
  try {
    await createFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = hasErrorCode(error, 'ENOENT') ? `there is no ${dirname(folder)}` : systemErrorText(error)
    throw new Error(`Setting BACKUP_DIR is wrong: ${folder} cannot be written to: ${reason}`, { cause: error })
  }
}

/** Does not create the parents: if a disk is not mounted, the backups must not fill the disk below it. */
async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  })
}

function explain(error: unknown): never {
  throw new Error(`Cannot use BACKUP_DIR: ${systemErrorText(error)}`)
}
