import { and, eq } from 'drizzle-orm'
import { moderator } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'

/** Returns whether switches, filters and proofs of work do not apply: to admins and to moderators of the board. */
export async function isExempt({ db, currentUser }: Context, boardId: string | null): Promise<boolean> {
  const user = await currentUser()
  if (!user || user.role === 'admin' || boardId === null) return user?.role === 'admin'
  const rows = await db
    .select({ boardId: moderator.boardId })
    .from(moderator)
    .where(and(eq(moderator.boardId, boardId), eq(moderator.userId, user.id)))
  return rows.length > 0
}
