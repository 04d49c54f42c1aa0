import { and, asc, eq, isNull } from 'drizzle-orm'
import { board, moderator } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

/** Returns the ids of the boards that the user moderates. */
export async function listModeratedBoards({ db }: Pick<Services, 'db'>, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: moderator.boardId })
    .from(moderator)
    .innerJoin(board, eq(board.id, moderator.boardId))
    .where(and(eq(moderator.userId, userId), isNull(board.deletedAt)))
    .orderBy(asc(moderator.boardId))
  return rows.map(({ id }) => id)
}
