import { z } from 'zod'
import { guestProcedure, memberProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  APPEAL_CALL,
  APPEAL_PATH,
  appealAnswer,
  appealForm,
  banForm,
  banListInput,
  banPageSchema,
  banParams,
} from '#src/contract/bans.ts'
import { answerAppeal, appealBan } from './appeals.ts'
import { listBans } from './banList.ts'
import { createBan, liftBan } from './bans.ts'

const BANS = '/api/moderation/bans'

const BAN = `${BANS}/:banId` as const

export const banRouter = router({
  list: documented(
    memberProcedure()
      .input(banListInput)
      .query(({ ctx, input }) => listBans(ctx, input, ctx.user)),
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
      .mutation(async ({ ctx, input }) => ({ id: await createBan(ctx, input, ctx.user) })),
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
      .mutation(({ ctx, input }) => liftBan(ctx, input.banId, ctx.user)),
    {
      method: 'POST',
      path: `${BAN}/lift`,
      summary: 'Ends a ban',
      answer: null,
      access: 'moderator',
    },
  ),
  appeal: documented(
    guestProcedure
      .input(appealForm)
      .use(rateLimited('post'))
      .mutation(({ ctx, input }) => appealBan(ctx, input)),
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
      .mutation(({ ctx, input }) => answerAppeal(ctx, input, ctx.user)),
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
