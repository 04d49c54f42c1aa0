import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { livePost, type StoredImage, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import { isOrWasOnBoard } from '#server/features/board/read/queries.ts'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'

const PER_MS = 1000

/**
 * Returns `tim`, the number of an image: the time of its post in microseconds, plus a millisecond for each image that was
 * sent before it. The last three digits come from the post's number, because several posts can have the same
 * millisecond.
 */
export const imageNumber = (
  { id, createdAt }: { id: number; createdAt: Date },
  { place = 0 }: Pick<StoredImage, 'place'>,
): number => (createdAt.getTime() + place) * PER_MS + (id % PER_MS)

/** Returns the place that a number gives to an image, or undefined if the number is not of an image of the post. */
export function placeOfImage(number: number, { id, createdAt }: { id: number; createdAt: Date }): number | undefined {
  const place = (number - imageNumber({ id, createdAt }, {})) / PER_MS
  return Number.isInteger(place) && place >= 0 && place < MAX_POST_IMAGES ? place : undefined
}

/** Returns the times that the post of an image may have. */
export const timesOfImage = (number: number): Date[] =>
  Array.from({ length: MAX_POST_IMAGES }, (_, place) => new Date(Math.floor(number / PER_MS) - place))

/** Returns the published image with this number on a board, or null. */
export async function findImage(
  { db }: Pick<Services, 'db'>,
  boardId: string,
  number: number,
): Promise<StoredImage | null> {
  if (!isBoardId(boardId) || !Number.isSafeInteger(number)) return null
  const isNumbered = and(
    inArray(livePost.createdAt, timesOfImage(number)),
    eq(sql`${livePost.id} % ${sql.raw(String(PER_MS))}`, number % PER_MS),
  )
  const { id, createdAt, image, moreImages } = livePost
  const rows = await db
    .select({ id, createdAt, image, moreImages })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .where(and(isNumbered, isNotNull(livePost.imageId), isOrWasOnBoard(boardId)))
    .orderBy(desc(livePost.createdAt), livePost.id)
  const images = rows.flatMap((row) => imagesOf(row).map((image) => ({ image, number: imageNumber(row, image) })))
  return images.find((one) => one.number === number)?.image ?? null
}
