import { and, eq } from 'drizzle-orm'
import { livePost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { isBoardId, parsePostId } from '#server/features/board/ids.ts'
import type { PostRef } from '#src/contract/post.ts'
import { isOrWasOnBoard } from './threadConditions.ts'

/** Finds the published post with this number on a board, or in a thread that has moved away from it. */
export async function findPostNumber(
  { db }: Pick<Services, 'db'>,
  boardId: string,
  number: string,
): Promise<PostRef | null> {
  const id = parsePostId(number)
  if (id === null || !isBoardId(boardId)) return null
  const [found] = await db
    .select({ id: livePost.id, threadId: livePost.threadId, boardId: thread.boardId })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .where(and(eq(livePost.id, id), isOrWasOnBoard(boardId)))
  return found ?? null
}
