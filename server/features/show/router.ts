import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { showMessages } from '#src/contract/show.ts'
import { scheduleInput, showForm, showParams, showUpdate } from '#src/contract/showForms.ts'
import { createShow, deleteShow, updateShow } from './editShows.ts'
import { readEditableShows, readSchedule } from './service.ts'

const editorProcedure = memberProcedure(showMessages.login)

export const showRouter = router({
  /** `now`: server time, used to find the current show in the first render. */
  schedule: guestProcedure.input(scheduleInput).query(async ({ ctx, input }) => {
    // Computing the times of many shows takes some milliseconds.
    ctx.charge(COST.largeAnswer)
    // Read the event id first: a change during the query is then replayed, not missed.
    const lastEventId = await readLastEventId(ctx)
    return { occurrences: await readSchedule(ctx, input), now: ctx.now(), lastEventId }
  }),
  upcoming: guestProcedure.query(({ ctx }) => ctx.upcomingShows()),
  editable: editorProcedure.query(({ ctx }) => readEditableShows(ctx, ctx.user)),
  create: editorProcedure.input(showForm).mutation(({ ctx, input }) => createShow(ctx, input)),
  update: editorProcedure.input(showUpdate).mutation(({ ctx, input }) => updateShow(ctx, input)),
  delete: editorProcedure.input(showParams).mutation(({ ctx, input }) => deleteShow(ctx, input.id)),
})
