import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { livePost, thread } from '#db/schema/index.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { listBoards } from '#server/features/board/boards/boards.ts'
import { imageNumber, timesOfImage } from '#server/features/board/fourchan/imageNumber.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import { idList } from '#server/features/board/quotes.ts'
import type { ExportFolder } from './exportFolder.ts'
import type { ExportServices } from './exportThread.ts'
import { partName } from './pages.ts'

type Reader = Pick<ExportServices, 'db'>

const BATCH = 500

/**
 * Removes what an earlier export wrote and the site no longer has: boards, threads and pictures.
 * @param parts number of pages with all threads, by board
 */
export async function removeStaleFiles(
  ctx: Reader,
  folder: ExportFolder,
  parts: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const boardIds = new Set((await listBoards(ctx)).map(({ id }) => id))
  for await (const boardId of folder.list('', 'folder')) {
    signal.throwIfAborted()
    // Keeps folders that are not of an export, such as `.git`.
    if (!isBoardId(boardId) || !(await folder.has(`${boardId}/threads.json`))) continue
    if (!boardIds.has(boardId)) {
      await folder.remove(boardId)
      continue
    }
    for (const name of ['thread', 'res']) {
      await removeMissing(folder, `${boardId}/${name}`, /^(\d+)\./, (ids) => findThreads(ctx, boardId, ids))
    }
    for (const name of [boardId, `${boardId}/src`, `${boardId}/thumb`]) {
      await removeMissing(folder, name, /^(\d+)s?\.(?!json)/, (numbers) => findImages(ctx, boardId, numbers))
    }
    for (let part = (parts.get(boardId) ?? 0) + 1; await folder.has(`${boardId}/${partName(part)}`); part++) {
      await folder.remove(`${boardId}/${partName(part)}`)
    }
  }
}

/** @param pattern captures the number in a file's name; other files stay */
async function removeMissing(
  folder: ExportFolder,
  path: string,
  pattern: RegExp,
  find: (numbers: number[]) => Promise<Set<number>>,
): Promise<void> {
  let batch: { name: string; number: number }[] = []
  const flush = async () => {
    if (batch.length === 0) return
    const existing = await find(batch.map(({ number }) => number))
    for (const { name, number } of batch) if (!existing.has(number)) await folder.remove(`${path}/${name}`)
    batch = []
  }
  for await (const name of folder.list(path, 'file')) {
    const number = Number(pattern.exec(name)?.[1] ?? Number.NaN)
    if (Number.isSafeInteger(number)) batch.push({ name, number })
    if (batch.length >= BATCH) await flush()
  }
  await flush()
}

async function findThreads({ db }: Reader, boardId: string, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .select({ id: thread.id })
    .from(thread)
    .where(and(sql`${thread.id} = any(${idList(ids)})`, eq(thread.boardId, boardId), isNull(thread.deletedAt)))
  return new Set(rows.map(({ id }) => id))
}

async function findImages({ db }: Reader, boardId: string, numbers: number[]): Promise<Set<number>> {
  const rows = await db
    .select({ id: livePost.id, createdAt: livePost.createdAt, image: livePost.image, moreImages: livePost.moreImages })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .where(
      and(
        inArray(livePost.createdAt, numbers.flatMap(timesOfImage)),
        isNotNull(livePost.imageId),
        eq(thread.boardId, boardId),
      ),
    )
  return new Set(rows.flatMap((row) => imagesOf(row).map((image) => imageNumber(row, image))))
}
