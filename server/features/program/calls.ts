import { z } from 'zod'
import { withLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { programForm, programParams, programSchema, programUpdate } from '#src/contract/program.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createProgram, deleteProgram, listPrograms, updateProgram } from './service.ts'

const PROGRAMS = '/api/programs'

const answer = z.object({ program: programSchema })

export const programRouter = router({
  list: documented(
    guestProcedure.query(({ ctx }) => withLastEventId(ctx, async () => ({ programs: await listPrograms(ctx) }))),
    { path: PROGRAMS, summary: 'Lists the programs', answer: z.object({ programs: z.array(programSchema) }) },
  ),
  create: documented(
    memberProcedure(refusal('program.addLogin'))
      .input(programForm)
      .mutation(({ ctx, input }) => createProgram(ctx, input)),
    { path: PROGRAMS, summary: 'Adds a program', answer },
  ),
  update: documented(
    memberProcedure(refusal('program.editLogin'))
      .input(programParams.and(programUpdate))
      .mutation(({ ctx, input: { id, ...update } }) => updateProgram(ctx, id, update)),
    {
      method: 'PUT',
      path: `${PROGRAMS}/:id`,
      summary: 'Changes a program',
      answer,
      statuses: { 409: 'The program has changed since `updatedAt`' },
    },
  ),
  delete: documented(
    memberProcedure(refusal('program.deleteLogin'))
      .input(programParams)
      .mutation(({ ctx, input }) => deleteProgram(ctx, input.id)),
    { method: 'DELETE', path: `${PROGRAMS}/:id`, summary: 'Deletes a program' },
  ),
})
