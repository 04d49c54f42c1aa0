import { and, asc, eq, isNull } from 'drizzle-orm'
import { board, moderator } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { SessionUser } from './sessions.ts'

/** Returns the ids of the boards that the user moderates; null means all. */
export async function listModeratedBoards(
  { db }: Pick<Services, 'db'>,
  { id: userId, role }: Pick<SessionUser, 'id' | 'role'>,
): Promise<string[] | null> {
  if (role === 'admin') return null
  const rows = await db
    .select({ id: moderator.boardId })
    .from(moderator)
    .innerJoin(board, eq(board.id, moderator.boardId))
    .where(and(eq(moderator.userId, userId), isNull(board.deletedAt)))
    .orderBy(asc(moderator.boardId))
  return rows.map(({ id }) => id)
}

/** @param boardId null for the whole site, which only admins moderate */
export async function isModerator(
  ctx: Pick<Services, 'db'>,
  user: Pick<SessionUser, 'id' | 'role'>,
  boardId: string | null,
): Promise<boolean> {
  if (boardId === null) return user.role === 'admin'
  const boards = await listModeratedBoards(ctx, user)
  return boards === null || boards.includes(boardId)
}
