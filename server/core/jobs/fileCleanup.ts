import { inArray } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Services } from '#server/core/context.ts'
import { imageIdOf } from '#server/core/storage/imageFiles.ts'

const BATCH = 200
/** Keeps younger files: another request or process may still be writing their row. */
const MIN_AGE_MS = 60 * 60 * 1000

/** Deletes files without a row, which a crash can leave. @param imageIdColumns every column that refers to files */
export async function deleteOrphanedFiles(
  { db, files, now }: Pick<Services, 'db' | 'files' | 'now'>,
  imageIdColumns: PgColumn[],
  minAgeMs = MIN_AGE_MS,
): Promise<void> {
  await files.clearTemporary(minAgeMs)
  let batch: string[] = []
  const deleteOrphans = async () => {
    const ids = [...new Set(batch.map(imageIdOf))]
    const rows = await Promise.all(
      imageIdColumns.map((column) => db.select({ id: column }).from(column.table).where(inArray(column, ids))),
    )
    const usedIds = new Set<unknown>(rows.flat().map(({ id }) => id))
    await files.remove(batch.filter((name) => !usedIds.has(imageIdOf(name))))
    batch = []
  }
  for await (const { name, modified } of files.list()) {
    if (now().getTime() - modified.getTime() < minAgeMs) continue
    batch.push(name)
    if (batch.length >= BATCH) await deleteOrphans()
  }
  if (batch.length > 0) await deleteOrphans()
}
