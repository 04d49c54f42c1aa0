import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { actInput, logInput, restoreInput } from '#src/contract/moderationForms.ts'
import { act, restore } from './actions.ts'
import { filterRouter } from './filterRouter.ts'
import { listLog } from './log.ts'

export const moderationRouter = router({
  filters: filterRouter,
  act: memberProcedure()
    .input(actInput)
    .mutation(({ ctx, input }) => act(ctx, input, ctx.user)),
  restore: memberProcedure()
    .input(restoreInput)
    .mutation(({ ctx, input }) => restore(ctx, input.logId, ctx.user)),
  log: guestProcedure.input(logInput).query(({ ctx, input }) => listLog(ctx, input)),
})
