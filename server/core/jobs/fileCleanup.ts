import { inArray } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Services } from '#server/core/context.ts'
import { imageIdOf } from '#server/core/storage/imageFiles.ts'

/** A column with ids of images, or a function that returns those of the ids that are in use. */
export type ImageReference = PgColumn | ((db: Services['db'], ids: string[]) => Promise<string[]>)

const BATCH = 200
/** Keeps younger files: a request may have stored a file, but not yet inserted its row. */
const MIN_AGE_MS = 60 * 60 * 1000

/**
 * Deletes files that have no row, such as after a crash.
 * @param references everything that refers to files
 * @param beforeRemoval gets the names of files that will be deleted
 */
export async function deleteOrphanedFiles(
  { db, files, now }: Pick<Services, 'db' | 'files' | 'now'>,
  references: ImageReference[],
  minAgeMs = MIN_AGE_MS,
  beforeRemoval: (names: string[]) => Promise<void> = async () => {},
): Promise<void> {
  await files.clearTemporary(minAgeMs)
  let batch: string[] = []
  const deleteOrphans = async () => {
    const ids = [...new Set(batch.map(imageIdOf))]
    const rows = await Promise.all(
      references.map((reference) =>
        typeof reference === 'function' ? reference(db, ids) : findInColumn(db, reference, ids),
      ),
    )
    const usedIds = new Set<unknown>(rows.flat())
    const orphans = batch.filter((name) => !usedIds.has(imageIdOf(name)))
    await beforeRemoval(orphans)
    await files.remove(orphans)
    batch = []
  }
  for await (const { name, modified } of files.list()) {
    if (now().getTime() - modified.getTime() < minAgeMs) continue
    batch.push(name)
    if (batch.length >= BATCH) await deleteOrphans()
  }
  if (batch.length > 0) await deleteOrphans()
}

async function findInColumn(db: Services['db'], column: PgColumn, ids: string[]): Promise<unknown[]> {
  const rows = await db.select({ id: column }).from(column.table).where(inArray(column, ids))
  return rows.map(({ id }) => id)
}
