import { and, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import { z } from 'zod'
import { ban, post } from '#db/schema/index.ts'
import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, rateLimited, router, uncheckedModeratorProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { findPlace } from '#server/features/board/read/queries.ts'
import { verifyAppealToken } from '#server/features/moderation/admission/liveBans.ts'
import { findOrigin } from '#server/features/moderation/origins/origins.ts'
import { publishModeration } from '#server/features/moderation/queue/queueEvents.ts'
import { findReportedItem } from '#server/features/moderation/reports/items.ts'
import { deriveKeys } from '#server/features/paste/crypto.ts'
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
import { endBan, insertBan, readBans, rejectForeignBan, rejectForeignScope } from './bans.ts'

const BANS = '/api/moderation/bans'
const BAN = `${BANS}/:banId` as const

const missingTexts = {
  post: refusal('moderation.postNotFound'),
  paste: refusal('paste.notFound'),
  image: refusal('image.notFound'),
}

export const banRouter = router({
  list: documented(
    uncheckedModeratorProcedure.input(banListInput).query(async ({ ctx, input: { appeals, before } }) => {
      const boards = await listModeratedBoards(ctx, ctx.user)
      const isListed = and(
        gt(ban.endsAt, ctx.now()),
        boards ? inArray(ban.boardId, boards) : undefined,
        before === undefined ? undefined : lt(ban.id, before),
        appeals ? and(isNotNull(ban.appealedAt), isNull(ban.answeredAt)) : undefined,
      )
      const bans = await readBans(ctx, isListed)
      const page = bans.slice(0, banLimits.perPage).map(({ view }) => view)
      return { bans: page, nextBefore: bans.length > page.length ? (page.at(-1)?.id ?? null) : null }
    }),
    {
      path: BANS,
      summary: 'Lists 50 live bans, newest first; with `appeals`, only those with an open appeal',
      answer: banPageSchema,
    },
  ),
  create: documented(
    uncheckedModeratorProcedure.input(banForm).mutation(async ({ ctx, input: { kind, boardId, ...form } }) => {
      await rejectForeignScope(ctx, boardId)
      // Origins know a paste by its lookup. Its URL has another id.
      const keys = kind === 'paste' ? deriveKeys(form.itemId, ctx.secrets.paste) : null
      const itemId = keys ? Buffer.from(keys.lookup).toString('hex') : form.itemId
      const isPossible = kind !== 'post' || /^\d{1,15}$/.test(itemId)
      // The origin of a deleted item may still be stored.
      const isKnown = async () =>
        (await findOrigin(ctx.db, kind, itemId)) ?? (await findReportedItem(ctx, kind, itemId))
      if (!isPossible || !(await isKnown())) throw errors.notFound(missingTexts[kind])
      const isForeign = async () =>
        kind !== 'post' || (await findPlace(ctx, eq(post.id, Number(itemId))))?.boardId !== boardId
      if (ctx.user.role !== 'admin' && (await isForeign())) throw errors.forbidden(refusal('auth.forbidden'))
      return { id: await writeAndPublish(ctx, (tx) => insertBan(ctx, tx, { kind, itemId }, { boardId, ...form })) }
    }),
    {
      path: BANS,
      summary:
        'Bans the poster of an item. `itemId` is the number of a post, or the id in the URL of a paste or shared image.',
      answer: z.object({ ban: z.object({ id: z.int() }) }),
      statuses: { 404: 'The item does not exist', 409: 'The site no longer knows who posted the item' },
    },
  ),
  lift: documented(
    uncheckedModeratorProcedure.input(banParams).mutation(async ({ ctx, input: { banId } }) => {
      await rejectForeignBan(ctx, banId)
      await writeAndPublish(ctx, (tx) => endBan(ctx, tx, banId))
    }),
    { path: `${BAN}/lift`, summary: 'Ends a ban' },
  ),
  appeal: documented(
    guestProcedure
      .input(appealForm)
      .use(rateLimited('post'))
      .mutation(async ({ ctx, input: { appealToken, text } }) => {
        const banId = verifyAppealToken(ctx.secrets.appeals, appealToken)
        if (banId === null) throw errors.notFound(refusal('moderation.banAppealToken'))
        await writeAndPublish(ctx, async (tx) => {
          const isOpen = and(eq(ban.id, banId), isNull(ban.appealedAt), gt(ban.endsAt, ctx.now()))
          const appeal = { appeal: text, appealedAt: ctx.now() }
          const stored = await tx.update(ban).set(appeal).where(isOpen).returning({ id: ban.id })
          if (stored.length === 0) throw errors.conflict(refusal('moderation.banAlreadyAppealed'))
          await publishModeration(tx, ctx.now(), 'bans')
        })
      }),
    {
      path: APPEAL_CALL,
      summary: 'Appeals a ban, once, with the token of its notice',
      statuses: { 404: 'The token is wrong', 409: 'The ban was appealed already, or it has ended' },
      formPage: { path: APPEAL_PATH },
    },
  ),
  answer: documented(
    uncheckedModeratorProcedure.input(appealAnswer).mutation(async ({ ctx, input: { banId, outcome } }) => {
      await rejectForeignBan(ctx, banId)
      await writeAndPublish(ctx, async (tx) => {
        const isOpen = and(eq(ban.id, banId), isNotNull(ban.appealedAt), isNull(ban.answeredAt))
        const answered = await tx.update(ban).set({ answeredAt: ctx.now() }).where(isOpen).returning({ id: ban.id })
        if (answered.length === 0) throw errors.conflict(refusal('moderation.banNoAppeal'))
        if (outcome === 'lift') await endBan(ctx, tx, banId)
        else await publishModeration(tx, ctx.now(), 'queue')
      })
    }),
    { path: `${BAN}/answer`, summary: 'Answers the appeal of a ban', statuses: { 409: 'The ban has no open appeal' } },
  ),
})
