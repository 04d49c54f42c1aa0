import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { createFreeSpaceReader } from '#server/core/storage/diskSpace.ts'
import type { ArchiveSource } from './readArchive.ts'
import { PARTIAL, writeFileAtomically } from './writeFile.ts'

/** A scheduled backup. It was verified before it got its name. */
export type StoredBackup = { name: string; at: Date; bytes: number }

export type NewBackup<T> = {
  /** called before each chunk is stored; an error ends the backup */
  beforeWrite: () => Promise<void>
  write: (out: Writable) => Promise<T>
  /** checks the stored bytes */
  verify: (stored: ArchiveSource) => Promise<unknown>
}

/** A storage for scheduled backups: a folder or a bucket. */
export type BackupDestination = {
  /** returns complete backups, the newest first */
  list(): Promise<StoredBackup[]>
  /** Stores a backup, or nothing if `write` or `verify` fails. */
  add<T>(name: string, backup: NewBackup<T>): Promise<T>
  remove(name: string): Promise<void>
  /** Removes what a killed process left. */
  removePartial(): Promise<void>
  /** returns infinity if the storage has no limit, or does not report it */
  freeBytes(): Promise<number>
}

const NAME = /^site-(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z\.backup$/

/** The name has the time, and no colon, which some file systems refuse. */
export const backupName = (at: Date): string =>
  `site-${at
    .toISOString()
    .replaceAll(':', '')
    .replace(/\.\d+Z$/, 'Z')}.backup`

/** Returns null for all other files, which a scheduled backup never deletes. */
export function parseBackupName(name: string): Date | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
  const at = new Date(`${day}${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}

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
