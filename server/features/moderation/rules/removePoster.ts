import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { post, thread } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { type MemberContext, uncheckedModeratorProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { findPlace, isShownPost } from '#server/features/board/read/queries.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { writeNote } from '#server/features/board/write/postChanges.ts'
import { moderatorActor } from '#server/features/moderation/log/log.ts'
import { findOrigin, labelItem, listByPoster } from '#server/features/moderation/origins/origins.ts'
import { canModerate } from '#src/contract/board.ts'
import { posterInput, posterSchema, removePosterInput, removePosterResultSchema } from '#src/contract/moderation.ts'
import { refusal } from '#src/contract/refusal.ts'
import { insertBan } from './bans.ts'

const NO_POST = { 404: 'The board or the post does not exist' }

/** Until then, every process knows a new ban, and posts that it did not stop are stored. */
const SETTLE_MS = 250

/** Describes the poster of a post on a board, or for admins on the site. @throws AppError like removePoster */
export const poster = documented(
  uncheckedModeratorProcedure.input(posterInput).query(async ({ ctx, input }) => {
    const { postId, width } = input
    const boardId = await findScope(ctx, input)
    const posts = await listByPoster(ctx.db, { postId, boardId, width })
    return { label: await labelItem(ctx.db, 'post', String(postId), boardId), posts: posts.length }
  }),
  {
    path: '/api/moderation/poster',
    summary: "Counts the posts of a post's poster",
    answer: posterSchema,
    statuses: NO_POST,
  },
)

/**
 * Removes all posts of the poster of a post, with the threads and comments that they open, bans the poster, or both.
 * @throws AppError 404 for an unknown post, 403 for users who may not moderate its board or the site, 400 for a wrong
 * end of the ban, 409 if the post has no stored origin
 */
export const removePoster = documented(
  uncheckedModeratorProcedure.input(removePosterInput).mutation(async ({ ctx, input }) => {
    const { postId, width, reason, note, deletePosts, ban } = input
    const boardId = await findScope(ctx, input)
    const bannedFrom = ban && (await findScope(ctx, { ...input, scope: ban.scope }))
    if (!(await findOrigin(ctx.db, 'post', String(postId)))) throw errors.conflict(refusal('moderation.unknownPoster'))
    const terms = ban &&
      bannedFrom !== undefined && { boardId: bannedFrom, width: ban.width, reason, endsAt: ban.endsAt }
    const banId = terms
      ? await writeAndPublish(ctx, async (tx) => {
          if (note !== undefined) await writeNote(ctx, tx, input.boardId, postId, note)
          return insertBan(ctx, tx, { kind: 'post', itemId: String(postId) }, terms)
        })
      : null
    if (!deletePosts) return { logId: null, count: 0, banId }
    // Then the removal finds the posts that were written before the ban.
    if (banId !== null) await sleep(SETTLE_MS)
    const removed = await writeAndPublish(ctx, async (tx) => {
      const ids = await listByPoster(tx, { postId, boardId, width })
      const record = { action: 'delete-by-poster', actor: moderatorActor(ctx.user), boardId, reason } as const
      return changeState(ctx, tx, ids, 'removed', { record })
    })
    return { logId: removed.logId, count: removed.ids.length, banId }
  }),
  {
    path: '/api/moderation/poster/delete',
    summary: "Deletes the posts of a post's poster, bans the poster, or both. A ban needs a reason.",
    answer: removePosterResultSchema,
    statuses: { ...NO_POST, 409: 'The site no longer knows where the post came from' },
  },
)

/** @returns the board's id, or null for the whole site */
async function findScope(
  ctx: MemberContext,
  { boardId, postId, scope }: Omit<z.output<typeof posterInput>, 'width'>,
): Promise<string | null> {
  const { board } = await findBoard(ctx, boardId)
  // Not by a board that its thread has left: a moderator who removes all posts of a poster means those on this board.
  // To others than its moderators, a held or removed post does not exist.
  const isAllowed = canModerate(ctx.user, board)
  const isKnown = isAllowed ? ne(post.state, 'erased') : isShownPost
  const isHere = and(eq(post.id, postId), eq(thread.boardId, boardId), isKnown)
  if (!(await findPlace(ctx, isHere))) throw errors.notFound(refusal('moderation.postNotFound'))
  if (!isAllowed) throw errors.forbidden(refusal('auth.forbidden'))
  if (scope === 'board') return boardId
  if (ctx.user.role !== 'admin') throw errors.forbidden(refusal('moderation.siteForAdmins'))
  return null
}
