import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'

type Reader = Pick<Context, 'db'>

/** Returns the ids of the boards that a user moderates, or null for admins, who moderate everything. */
export const moderatedBoards = async (ctx: Reader, user: SessionUser): Promise<string[] | null> =>
  user.role === 'admin' ? null : listModeratedBoards(ctx, user.id)

/** @param boardId null for items that belong to no board @throws AppError 403 */
export async function requireModeration(ctx: Reader, user: SessionUser, boardId: string | null): Promise<void> {
  const boards = await moderatedBoards(ctx, user)
  if (boards && (boardId === null || !boards.includes(boardId)))
    throw errors.forbidden(refusal('moderation.reportNotAllowed'))
}
