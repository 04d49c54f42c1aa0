import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { programMessages } from '#src/contract/program.ts'
import { programForm, programParams, programUpdate } from '#src/contract/programForms.ts'
import { createProgram, deleteProgram, listPrograms, updateProgram } from './service.ts'

export const programRouter = router({
  list: guestProcedure.query(async ({ ctx }) => {
    // Read the event id first: a change during the query is then replayed, not missed.
    const lastEventId = await readLastEventId(ctx)
    return { programs: await listPrograms(ctx), lastEventId }
  }),
  create: memberProcedure(programMessages.addLogin)
    .input(programForm)
    .mutation(({ ctx, input }) => createProgram(ctx, input)),
  update: memberProcedure(programMessages.editLogin)
    .input(programParams.and(programUpdate))
    .mutation(({ ctx, input: { id, ...update } }) => updateProgram(ctx, id, update)),
  delete: memberProcedure(programMessages.deleteLogin)
    .input(programParams)
    .mutation(({ ctx, input }) => deleteProgram(ctx, input.id)),
})
