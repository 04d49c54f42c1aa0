import type { Services } from '#server/core/context.ts'
import { RESERVE_BYTES } from '#server/core/storage/diskSpace.ts'
import { createBackup } from './backup.ts'
import { backupName } from './destination.ts'
import { ArchiveError } from './format.ts'
import { verifyArchive } from './verifyArchive.ts'

type Needed = Pick<Services, 'backups' | 'config' | 'diskSpace' | 'log' | 'now'>

/**
 * Writes and verifies a backup, then deletes the oldest beyond BACKUP_KEEP. If it fails, no backup is deleted.
 * @throws Error if the backup cannot be written, cannot be read back, or would fill a disk
 */
export async function runScheduledBackup(services: Needed, signal: AbortSignal): Promise<void> {
  const { backups, config, log, now } = services
  const startedAt = performance.now()
  await backups.removePartial()
  await rejectFullDisk(services)
  const full = new AbortController()
  const options = {
    signal: AbortSignal.any([signal, full.signal]),
    // The rows are first copied to DATA_DIR, before the destination gets a byte.
    progress: () => void rejectFullDisk(services).catch((error) => full.abort(error)),
  }
  const name = backupName(now())
  const { rows, files, gone, readMs } = await backups.add(name, {
    beforeWrite: () => rejectFullDisk(services),
    write: (out) => createBackup(config, { out, ...options }),
    verify: (stored) => verifyArchive(stored, options).catch(explainDamage),
  })
  const deleted = await deleteOldest(services, name)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  log.info({ name, rows, files, gone, seconds, readMs: Math.round(readMs), deleted }, 'backed up')
}

function explainDamage(error: unknown): never {
  if (!(error instanceof ArchiveError)) throw error
  throw new Error(`The backup was removed, because it could not be verified: ${error.message}. Check the disk`)
}

/** Keeps the disks usable: a full disk stops the embedded database and refuses uploads. */
async function rejectFullDisk({ backups, diskSpace }: Pick<Needed, 'backups' | 'diskSpace'>): Promise<void> {
  const disks = [
    ['DATA_DIR', diskSpace],
    ['BACKUP_DIR', backups.freeBytes],
  ] as const
  for (const [setting, readFreeBytes] of disks) {
    if ((await readFreeBytes()) >= RESERVE_BYTES) continue
    throw new Error(
      `The backup was stopped and removed, because the disk of ${setting} is nearly full. Free space, or lower BACKUP_KEEP`,
    )
  }
}

/** Never deletes the new backup, even if the clock was set back and the others look newer. */
async function deleteOldest({ backups, config }: Pick<Needed, 'backups' | 'config'>, newest: string) {
  const others = (await backups.list()).filter(({ name }) => name !== newest)
  const deleted = others.slice(config.backups.keep - 1)
  for (const { name } of deleted) await backups.remove(name)
  return deleted.length
}
