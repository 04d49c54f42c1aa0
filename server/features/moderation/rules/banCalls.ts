import { and, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { z } from 'zod'
import { ban, moderator, post } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { findPlace } from '#server/features/board/read/queries.ts'
import { verifyAppealToken } from '#server/features/moderation/admission/liveBans.ts'
import { publishQueueChange } from '#server/features/moderation/queue/queueEvents.ts'
import {
  APPEAL_CALL,
  APPEAL_PATH,
  appealAnswer,
  appealForm,
  banForm,
  banLimits,
  banListInput,
  banPageSchema,
  banParams,
} from '#src/contract/bans.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  endBan,
  insertBan,
  lookupOf,
  publishBansChange,
  readBans,
  rejectForeignBan,
  rejectForeignScope,
  rejectMissingItem,
} from './bans.ts'

const BANS = '/api/moderation/bans'

const BAN = `${BANS}/:banId` as const

export const banRouter = router({
  list: documented(
    memberProcedure()
      .input(banListInput)
      .query(async ({ ctx, input: { appeals, before } }) => {
        const { db, user } = ctx
        const ownBoards = db.select({ id: moderator.boardId }).from(moderator).where(eq(moderator.userId, user.id))
        const isListed = and(
          gt(ban.endsAt, ctx.now()),
          user.role === 'admin' ? undefined : inArray(ban.boardId, ownBoards),
          before === undefined ? undefined : lt(ban.id, before),
          appeals ? and(isNotNull(ban.appealedAt), isNull(ban.answeredAt)) : undefined,
        )
        const bans = await readBans(ctx, isListed)
        const page = bans.slice(0, banLimits.perPage).map(({ view }) => view)
        return { bans: page, nextBefore: bans.length > page.length ? (page.at(-1)?.id ?? null) : null }
      }),
    {
      method: 'GET',
      path: BANS,
      summary: 'Lists 50 live bans, newest first; with `appeals`, only those with an open appeal',
      answer: banPageSchema,
      access: 'moderator',
    },
  ),
  create: documented(
    memberProcedure()
      .input(banForm)
      .mutation(async ({ ctx, input: { kind, boardId, ...form } }) => {
        const item = { kind, itemId: kind === 'paste' ? lookupOf(ctx, form.itemId) : form.itemId }
        await rejectForeignScope(ctx, boardId)
        await rejectMissingItem(ctx, item)
        const isForeign = async () =>
          kind !== 'post' || (await findPlace(ctx, eq(post.id, Number(item.itemId))))?.boardId !== boardId
        if (ctx.user.role !== 'admin' && (await isForeign())) throw errors.forbidden(refusal('auth.forbidden'))
        return { id: await writeAndPublish(ctx, (tx) => insertBan(ctx, tx, item, { boardId, ...form })) }
      }),
    {
      method: 'POST',
      path: BANS,
      summary:
        'Bans the poster of an item. `itemId` is the number of a post, or the id in the URL of a paste or shared image.',
      answer: z.object({ ban: z.object({ id: z.int() }) }),
      access: 'moderator',
      statuses: { 404: 'The item does not exist', 409: 'The site no longer knows who posted the item' },
    },
  ),
  lift: documented(
    memberProcedure()
      .input(banParams)
      .mutation(async ({ ctx, input: { banId } }) => {
        await rejectForeignBan(ctx, banId)
        await writeAndPublish(ctx, (tx) => endBan(ctx, tx, banId))
      }),
    { method: 'POST', path: `${BAN}/lift`, summary: 'Ends a ban', answer: null, access: 'moderator' },
  ),
  appeal: documented(
    guestProcedure
      .input(appealForm)
      .use(rateLimited('post'))
      .mutation(async ({ ctx, input: { appealToken, text } }) => {
        const banId = verifyAppealToken(ctx.secrets.appeals, appealToken)
        if (banId === null) throw errors.notFound(refusal('moderation.banAppealToken'))
        await writeAndPublish(ctx, async (tx) => {
          const stored = await tx
            .update(ban)
            .set({ appeal: text, appealedAt: ctx.now() })
            .where(and(eq(ban.id, banId), isNull(ban.appealedAt), gt(ban.endsAt, ctx.now())))
            .returning({ id: ban.id })
          if (stored.length === 0) throw errors.conflict(refusal('moderation.banAlreadyAppealed'))
          await publishBansChange(tx, ctx.now())
        })
      }),
    {
      method: 'POST',
      path: APPEAL_CALL,
      summary: 'Appeals a ban, once, with the token of its notice',
      answer: null,
      statuses: { 404: 'The token is wrong', 409: 'The ban was appealed already, or it has ended' },
      formPage: { path: APPEAL_PATH },
    },
  ),
  answer: documented(
    memberProcedure()
      .input(appealAnswer)
      .mutation(async ({ ctx, input: { banId, outcome } }) => {
        await rejectForeignBan(ctx, banId)
        await writeAndPublish(ctx, async (tx) => {
          const answered = await tx
            .update(ban)
            .set({ answeredAt: ctx.now() })
            .where(and(eq(ban.id, banId), isNotNull(ban.appealedAt), isNull(ban.answeredAt)))
            .returning({ id: ban.id })
          if (answered.length === 0) throw errors.conflict(refusal('moderation.banNoAppeal'))
          if (outcome === 'lift') await endBan(ctx, tx, banId)
          else await publishQueueChange(tx, ctx.now())
        })
      }),
    {
      method: 'POST',
      path: `${BAN}/answer`,
      summary: 'Answers the appeal of a ban',
      answer: null,
      access: 'moderator',
      statuses: { 409: 'The ban has no open appeal' },
    },
  ),
})
