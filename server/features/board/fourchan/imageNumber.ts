import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { post, type StoredImage, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { isBoardId } from '#server/features/board/ids.ts'

const PER_MS = 1000

/**
 * Returns `tim`, the number of a post's image: the time of the post in microseconds. The last three digits come from
 * the post's number, because several posts can have the same millisecond.
 */
export const imageNumber = ({ id, createdAt }: { id: number; createdAt: Date }): number =>
  createdAt.getTime() * PER_MS + (id % PER_MS)

/** Returns the time of the post. */
export const timeOfImage = (number: number): Date => new Date(Math.floor(number / PER_MS))

/** Returns the published image with this number on a board, or null. */
export async function findImage(
  { db }: Pick<Services, 'db'>,
  boardId: string,
  number: number,
): Promise<StoredImage | null> {
  if (!isBoardId(boardId) || !Number.isSafeInteger(number)) return null
  const isNumbered = and(
    eq(post.createdAt, timeOfImage(number)),
    eq(sql`${post.id} % ${sql.raw(String(PER_MS))}`, number % PER_MS),
  )
  const [found] = await db
    .select({ image: post.image })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(isNumbered, isNotNull(post.imageId), eq(thread.boardId, boardId)))
    .orderBy(post.id)
    .limit(1)
  return found?.image ?? null
}
