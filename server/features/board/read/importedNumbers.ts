import { and, between, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import { importedBoard, importedImage, importedRange, livePost, type StoredImage, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import type { PostRef } from '#src/contract/post.ts'
import { isStorable } from '#src/contract/text.ts'
import { isOrWasOnBoard } from './queries.ts'

type Reader = Pick<Services, 'db'>

/** Finds the published post that had this number on an imported board. @param name of the board in its old URLs */
export const findImportedPost = (ctx: Reader, name: string, number: number): Promise<PostRef | null> =>
  findImported(ctx, number, eq(importedRange.source, name))

/** Finds the published post of an imported thread that had this number on its old board. */
export async function findImportedId(
  ctx: Reader,
  { threadId, number }: { threadId: number; number: number },
): Promise<number | null> {
  const found = await findImported(ctx, number, eq(thread.id, threadId))
  return found?.id ?? null
}

async function findImported({ db }: Reader, old: number, condition: SQL): Promise<PostRef | null> {
  const [found] = await db
    .select({ id: livePost.id, threadId: livePost.threadId, boardId: thread.boardId })
    .from(importedRange)
    .innerJoin(importedBoard, eq(importedBoard.name, importedRange.source))
    .innerJoin(livePost, eq(livePost.id, sql`${old}::bigint + ${importedRange.shift}`))
    .innerJoin(thread, and(eq(thread.id, livePost.threadId), isOrWasOnBoard(importedBoard.boardId)))
    .where(and(condition, lte(importedRange.first, old), gte(importedRange.last, old)))
  return found ?? null
}

/** posts with the same image that are looked at; jschan stores equal files once */
const MAX_SAME_IMAGES = 10

/** Finds an image of a published post by its name on the old site, such as `b/1500000000001`. */
export async function findImportedImage({ db }: Reader, name: string): Promise<StoredImage | null> {
  if (!isStorable(name)) return null
  const isInRange = between(importedImage.number, importedRange.first, importedRange.last)
  const rows = await db
    .select({ place: importedImage.place, image: livePost.image, moreImages: livePost.moreImages })
    .from(importedImage)
    .innerJoin(importedRange, and(eq(importedRange.source, importedImage.source), isInRange))
    .innerJoin(livePost, eq(livePost.id, sql`${importedImage.number} + ${importedRange.shift}`))
    .where(eq(importedImage.name, name))
    .orderBy(importedImage.number)
    .limit(MAX_SAME_IMAGES)
  const images = rows.flatMap((row) => imagesOf(row).filter((image) => (image.place ?? 0) === row.place))
  return images[0] ?? null
}
