import { and, asc, isNotNull, lt, sum } from 'drizzle-orm'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { isRecorded } from './archive.ts'
import { dropFiles } from './service.ts'
import { openRecordings } from './store.ts'

type Cleaner = Pick<Services, 'config' | 'db' | 'cache' | 'log' | 'now'>
type Stored = { id: number; file: string | null; bytes: number }

const DAY_MS = 24 * 3600 * 1000
/** Limits a transaction. The next run deletes the rest. */
const BATCH = 200
/** Leaves time to copy the files back after the restore of a backup, whose rows may be older than the files. */
const MIN_ORPHAN_AGE_MS = DAY_MS

const storedColumns = { id: broadcast.id, file: broadcast.file, bytes: broadcast.bytes }

/** Deletes expired recordings, the oldest ones beyond the quota, and files without a row. */
export async function cleanUpRecordings(services: Cleaner): Promise<void> {
  const { days } = services.config.recordings
  if (days > 0) await deleteExpiredRecordings(services, new Date(services.now().getTime() - days * DAY_MS))
  await deleteRecordingsBeyondQuota(services)
  await deleteFilesWithoutRow(services)
}

async function deleteExpiredRecordings(services: Cleaner, before: Date): Promise<void> {
  const expired = await services.db
    .select(storedColumns)
    .from(broadcast)
    .where(and(isRecorded, lt(broadcast.endedAt, before)))
    .limit(BATCH)
  await deleteRecordings(services, expired, 'expired')
}

/** Running recordings count, but are not deleted. */
async function deleteRecordingsBeyondQuota(services: Cleaner): Promise<void> {
  const { db, config } = services
  const [total] = await db.select({ bytes: sum(broadcast.bytes).mapWith(Number) }).from(broadcast)
  let excess = (total?.bytes ?? 0) - config.recordings.bytes
  if (excess <= 0) return
  const oldest = await db
    .select(storedColumns)
    .from(broadcast)
    .where(isRecorded)
    .orderBy(asc(broadcast.startedAt), asc(broadcast.id))
    .limit(BATCH)
  const deleted = oldest.filter(({ bytes }) => {
    const isExcess = excess > 0
    excess -= bytes
    return isExcess
  })
  await deleteRecordings(services, deleted, 'beyond the quota RECORDINGS')
}

/** Updates the rows first: a crash before the files are deleted leaves orphans. */
async function deleteRecordings(services: Cleaner, recordings: Stored[], reason: string): Promise<void> {
  if (recordings.length === 0) return
  const ids = recordings.map(({ id }) => id)
  await writeAndPublish(services, (tx) => dropFiles(tx, services.now(), ids))
  const store = openRecordings(services.config)
  for (const { file } of recordings) if (file) await store.remove(file)
  services.log.info({ recordings: ids.length, reason }, 'deleted recordings')
}

async function deleteFilesWithoutRow({ config, db, now, log }: Cleaner): Promise<void> {
  const store = openRecordings(config)
  const before = now().getTime() - MIN_ORPHAN_AGE_MS
  const old = (await store.list()).filter(({ modified }) => modified.getTime() <= before)
  if (old.length === 0) return
  const rows = await db.select({ file: broadcast.file }).from(broadcast).where(isNotNull(broadcast.file))
  const used = new Set(rows.map(({ file }) => file))
  for (const { name } of old.filter((one) => !used.has(one.name))) {
    await store.remove(name)
    log.info({ file: name }, 'deleted a recording without a broadcast')
  }
}
