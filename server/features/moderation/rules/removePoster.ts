import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { findPostBoard } from '#server/features/board/read/queries.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { writeNote } from '#server/features/board/write/postChanges.ts'
import { moderatorActor } from '#server/features/moderation/log/log.ts'
import { findOrigin, labelItem, listByPoster } from '#server/features/moderation/origins/findPosters.ts'
import { canModerate } from '#src/contract/board.ts'
import type { PosterView, posterInput, RemovePosterResult, removePosterInput } from '#src/contract/moderation.ts'
import { refusal } from '#src/contract/refusal.ts'
import { insertBan, type NewBan } from './bans.ts'

/** Until then, every process knows a new ban, and posts that it did not stop are stored. */
const SETTLE_MS = 250

/** Describes the poster of a post on a board, or for admins on the site. @throws AppError like removePoster */
export async function readPoster(
  ctx: Context,
  input: z.output<typeof posterInput>,
  user: SessionUser,
): Promise<PosterView> {
  const { postId, width } = input
  const boardId = await findScope(ctx, input, user)
  const posts = await listByPoster(ctx.db, { postId, boardId, width })
  return { label: await labelItem(ctx.db, 'post', String(postId), boardId), posts: posts.length }
}

/**
 * Removes all posts of the poster of a post, with the threads and comments that they open, bans the poster, or both.
 * @throws AppError 404 for an unknown post, 403 for users who may not moderate its board or the site, 400 for a wrong
 * end of the ban, 409 if the post has no stored origin
 */
export async function removePoster(
  ctx: Context,
  input: z.output<typeof removePosterInput>,
  user: SessionUser,
): Promise<RemovePosterResult> {
  const { postId, width, reason, deletePosts, ban } = input
  const boardId = await findScope(ctx, input, user)
  const bannedFrom = ban && (await findScope(ctx, { ...input, scope: ban.scope }, user))
  if (!(await findOrigin(ctx.db, 'post', String(postId)))) throw errors.conflict(refusal('moderation.unknownPoster'))
  const terms = ban && bannedFrom !== undefined && { boardId: bannedFrom, width: ban.width, reason, endsAt: ban.endsAt }
  const banId = terms ? await banPoster(ctx, input, terms, user) : null
  if (!deletePosts) return { logId: null, count: 0, banId }
  // Then the removal finds the posts that were written before the ban.
  if (banId !== null) await sleep(SETTLE_MS)
  const removed = await writeAndPublish(ctx, async (tx) => {
    const ids = await listByPoster(tx, { postId, boardId, width })
    const record = { action: 'delete-by-poster', actor: moderatorActor(user), boardId, reason } as const
    return changeState(ctx, tx, ids, 'removed', { record })
  })
  return { logId: removed.logId, count: removed.ids.length, banId }
}

type Banned = Pick<z.output<typeof removePosterInput>, 'boardId' | 'postId' | 'note'>

async function banPoster(
  ctx: Context,
  { boardId, postId, note }: Banned,
  terms: NewBan,
  user: SessionUser,
): Promise<number> {
  const item = { kind: 'post', itemId: String(postId) } as const
  return writeAndPublish(ctx, async (tx) => {
    if (note !== undefined) await writeNote(ctx, tx, boardId, postId, note)
    return insertBan(ctx, tx, item, terms, user)
  })
}

/** @returns the board's id, or null for the whole site */
async function findScope(
  ctx: Context,
  { boardId, postId, scope }: Omit<z.output<typeof posterInput>, 'width'>,
  user: SessionUser,
): Promise<string | null> {
  const board = await findPostBoard(ctx, boardId, postId)
  if (!canModerate(user, board)) throw errors.forbidden(refusal('auth.forbidden'))
  if (scope === 'board') return boardId
  if (user.role !== 'admin') throw errors.forbidden(refusal('moderation.siteForAdmins'))
  return null
}
