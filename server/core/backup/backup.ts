import { readFile } from 'node:fs/promises'
import { openForBackup } from '#db/maintenance.server.ts'
import { packageRoot } from '#db/migrate.server.ts'
import type { Services } from '#server/core/context.ts'
import { RESERVE_BYTES } from '#server/core/storage/diskSpace.ts'
import { openFileStore } from '#server/core/storage/openStores.ts'
import { backupName } from './destination.ts'
import { type ArchiveEnd, ArchiveError, createManifest } from './format.ts'
import { readSiteSecret, type SiteLocation } from './secret.ts'
import { takeSnapshot } from './snapshot.ts'
import { verifyArchive } from './verifyArchive.ts'
import { type WriteOptions, writeArchive } from './writeArchive.ts'

/** `readMs`: time to read all rows. The embedded database blocks the site during this time. */
type Done = ArchiveEnd & { readMs: number; hasSecret: boolean }

export async function createBackup(location: SiteLocation, { out, signal, progress }: WriteOptions): Promise<Done> {
  const database = await openForBackup(location)
  const madeAt = new Date().toISOString()
  const readSite = async () => {
    const secret = await readSiteSecret(location)
    // A crash while the backup reads then replays little.
    if (database.kind === 'embedded') await database.sql`checkpoint`
    return { secret, snapshot: await takeSnapshot(database.sql, location.dataDir, { signal, progress }) }
  }
  const { secret, snapshot } = await readSite().finally(database.close)
  try {
    const manifest = createManifest({
      version: JSON.parse(await readFile(new URL('package.json', packageRoot), 'utf8')).version,
      madeAt,
      database: database.kind,
      migration: snapshot.migration,
      secret: secret.fingerprint,
      tables: snapshot.tables.map(({ name, columns }) => ({ name, columns })),
      sequences: snapshot.sequences,
    })
    const files = openFileStore(location)
    const end = await writeArchive({ manifest, secret: secret.generated, snapshot, files }, { out, signal, progress })
    return { ...end, readMs: snapshot.durationMs, hasSecret: secret.generated !== null }
  } finally {
    await snapshot.spool.close()
  }
}

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
  throw new Error(
    `The backup was removed, because it could not be verified: ${error.message}. Check the disk or the bucket`,
  )
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
