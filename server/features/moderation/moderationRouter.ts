import {
  guestProcedure,
  memberProcedure,
  moderatorProcedure,
  rateLimited,
  router,
} from '#server/core/rpc/procedures.ts'
import { actInput, logInput, posterInput, removePosterInput, restoreInput } from '#src/contract/moderationForms.ts'
import { queueInput } from '#src/contract/queueForms.ts'
import { reportForm, resolveForm, takedownForm } from '#src/contract/reportForms.ts'
import { alertRouter } from './alerts/alertRouter.ts'
import { act, restore } from './log/actions.ts'
import { listLog } from './log/listLog.ts'
import { heldRouter } from './queue/heldRouter.ts'
import { readQueue } from './queue/queue.ts'
import { createReport } from './reports/reports.ts'
import { resolveReport, takeDownUrl } from './reports/resolveReport.ts'
import { banRouter } from './rules/banRouter.ts'
import { blockedImageRouter } from './rules/blockedImageRouter.ts'
import { filterRouter } from './rules/filterRouter.ts'
import { readPoster, removePoster } from './rules/posters.ts'
import { switchRouter } from './rules/switchRouter.ts'

export const moderationRouter = router({
  alerts: alertRouter,
  blockedImages: blockedImageRouter,
  filters: filterRouter,
  held: heldRouter,
  act: memberProcedure()
    .input(actInput)
    .mutation(({ ctx, input }) => act(ctx, input, ctx.user)),
  poster: memberProcedure()
    .input(posterInput)
    .query(({ ctx, input }) => readPoster(ctx, input, ctx.user)),
  removePoster: memberProcedure()
    .input(removePosterInput)
    .mutation(({ ctx, input }) => removePoster(ctx, input, ctx.user)),
  restore: memberProcedure()
    .input(restoreInput)
    .mutation(({ ctx, input }) => restore(ctx, input.logId, ctx.user)),
  bans: banRouter,
  log: guestProcedure.input(logInput).query(({ ctx, input }) => listLog(ctx, input)),
  report: guestProcedure
    .input(reportForm)
    .use(rateLimited('report'))
    .mutation(({ ctx, input }) => createReport(ctx, input)),
  queue: moderatorProcedure
    .input(queueInput)
    .query(({ ctx, input }) => ctx.readLarge(() => readQueue(ctx, input, ctx.boards))),
  resolve: memberProcedure()
    .input(resolveForm)
    .mutation(({ ctx, input }) => resolveReport(ctx, input, ctx.user)),
  takedown: memberProcedure()
    .input(takedownForm)
    .mutation(({ ctx, input }) => takeDownUrl(ctx, input, ctx.user)),
  switches: switchRouter,
})
