import type { z } from 'zod'
import { extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { moderatorActor } from '#server/core/moderation/log.ts'
import { labelPosts, listByPoster } from '#server/core/moderation/posters.ts'
import { findPostBoard } from '#server/features/board/queries.ts'
import { removePosts } from '#server/features/board/removal.ts'
import { authMessages } from '#src/contract/auth.ts'
import { canModerate } from '#src/contract/board.ts'
import { type ActionResult, moderationMessages, type PosterView } from '#src/contract/moderation.ts'
import type { posterInput, removePosterInput } from '#src/contract/moderationForms.ts'

/** Removing thousands of posts takes longer than the timeout of ordinary queries. */
const REMOVAL_TIMEOUT_MS = 120_000

/** Describes the poster of a post on a board, or for admins on the site. @throws AppError like removePoster */
export async function readPoster(
  ctx: Context,
  input: z.output<typeof posterInput>,
  user: SessionUser,
): Promise<PosterView> {
  const { postId, width } = input
  const boardId = await findScope(ctx, input, user)
  const labels = await labelPosts(ctx.db, [postId], boardId)
  const posts = await listByPoster(ctx.db, { postId, boardId, width })
  return { label: labels.get(postId) ?? null, posts: posts.length }
}

/**
 * Removes all posts of the poster of a post, with the threads and comments that they open.
 * @throws AppError 404 for an unknown post, 403 for users who may not moderate its board or the site, 409 if the post
 * has no stored origin
 */
export async function removePoster(
  ctx: Context,
  input: z.output<typeof removePosterInput>,
  user: SessionUser,
): Promise<ActionResult> {
  const { postId, width, reason } = input
  const boardId = await findScope(ctx, input, user)
  if ((await labelPosts(ctx.db, [postId], boardId)).size === 0) throw errors.conflict(moderationMessages.unknownPoster)
  return writeAndPublish(ctx, async (tx) => {
    await extendTransactionTimeout(tx, REMOVAL_TIMEOUT_MS)
    const ids = await listByPoster(tx, { postId, boardId, width })
    return removePosts(ctx, tx, ids, { action: 'delete-by-poster', actor: moderatorActor(user), boardId, reason })
  })
}

/** @returns the board's id, or null for the whole site */
async function findScope(
  ctx: Context,
  { boardId, postId, scope }: z.output<typeof posterInput>,
  user: SessionUser,
): Promise<string | null> {
  const board = await findPostBoard(ctx, boardId, postId)
  if (!canModerate(user, board)) throw errors.forbidden(authMessages.forbidden)
  if (scope === 'board') return boardId
  if (user.role !== 'admin') throw errors.forbidden(moderationMessages.siteForAdmins)
  return null
}
