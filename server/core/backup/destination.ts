import type { Writable } from 'node:stream'
import type { ArchiveSource } from './readArchive.ts'

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
