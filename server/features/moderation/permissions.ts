import { and, eq } from 'drizzle-orm'
import { moderator } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { reportMessages } from '#src/contract/reports.ts'

type Reader = Pick<Context, 'db'>

/** Returns the ids of the boards that a user moderates, or null for admins, who moderate everything. */
export async function moderatedBoards({ db }: Reader, user: SessionUser): Promise<string[] | null> {
  if (user.role === 'admin') return null
  const rows = await db.select({ boardId: moderator.boardId }).from(moderator).where(eq(moderator.userId, user.id))
  return rows.map(({ boardId }) => boardId)
}

/** @param boardId null for items that belong to no board @throws AppError 403 */
export async function requireModeration({ db }: Reader, user: SessionUser, boardId: string | null): Promise<void> {
  if (user.role === 'admin') return
  const rows = boardId
    ? await db
        .select({ boardId: moderator.boardId })
        .from(moderator)
        .where(and(eq(moderator.userId, user.id), eq(moderator.boardId, boardId)))
    : []
  if (rows.length === 0) throw errors.forbidden(reportMessages.notAllowed)
}
