import { guestProcedure, memberProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { appealAnswer, appealForm, banForm, banListInput, banParams } from '#src/contract/banForms.ts'
import { answerAppeal, appealBan } from './appeals.ts'
import { listBans } from './banList.ts'
import { createBan, liftBan } from './bans.ts'

export const banRouter = router({
  list: memberProcedure()
    .input(banListInput)
    .query(({ ctx, input }) => listBans(ctx, input, ctx.user)),
  create: memberProcedure()
    .input(banForm)
    .mutation(async ({ ctx, input }) => ({ id: await createBan(ctx, input, ctx.user) })),
  lift: memberProcedure()
    .input(banParams)
    .mutation(({ ctx, input }) => liftBan(ctx, input.banId, ctx.user)),
  appeal: guestProcedure
    .input(appealForm)
    .use(rateLimited('post'))
    .mutation(({ ctx, input }) => appealBan(ctx, input)),
  answer: memberProcedure()
    .input(appealAnswer)
    .mutation(({ ctx, input }) => answerAppeal(ctx, input, ctx.user)),
})
