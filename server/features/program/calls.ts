import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { program } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { withLastEventId, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { programForm, programParams, programSchema, programUpdate } from '#src/contract/program.ts'
import { refusal } from '#src/contract/refusal.ts'
import { publishProgramsChange, toProgramRow } from './service.ts'

const PROGRAMS = '/api/programs'
const PROGRAM = `${PROGRAMS}/:id` as const

const answer = z.object({ program: programSchema })

const notFound = () => errors.notFound(refusal('program.notFound'))

export const programRouter = router({
  list: documented(
    guestProcedure.query(({ ctx }) =>
      withLastEventId(ctx, async () => ({ programs: await ctx.db.select().from(program).orderBy(asc(program.id)) })),
    ),
    { path: PROGRAMS, summary: 'Lists the programs', answer: z.object({ programs: z.array(programSchema) }) },
  ),
  create: documented(
    memberProcedure(refusal('program.addLogin'))
      .input(programForm)
      .mutation(({ ctx, input }) =>
        writeAndPublish(ctx, async (tx) => {
          const [created] = await tx.insert(program).values(toProgramRow(input, ctx.now())).returning()
          if (!created) throw new Error('INSERT returned no program')
          await publishProgramsChange(tx, ctx.now())
          return created
        }),
      ),
    { path: PROGRAMS, summary: 'Adds a program', answer },
  ),
  update: documented(
    memberProcedure(refusal('program.editLogin'))
      .input(programParams.and(programUpdate))
      .mutation(({ ctx, input: { id, updatedAt, ...form } }) =>
        writeAndPublish(ctx, async (tx) => {
          const isProgram = eq(program.id, id)
          // Adds a millisecond if needed: two edits in the same millisecond must have different versions.
          const version = sql`greatest(${ctx.now().toISOString()}, ${program.updatedAt} + interval '1 millisecond')`
          const [changed] = await tx
            .update(program)
            .set({ ...form, updatedAt: version })
            .where(and(isProgram, updatedAt && eq(program.updatedAt, updatedAt)))
            .returning()
          if (!changed)
            throw (await tx.$count(program, isProgram)) > 0 ? errors.conflict(refusal('program.changed')) : notFound()
          await publishProgramsChange(tx, ctx.now())
          return changed
        }),
      ),
    {
      method: 'PUT',
      path: PROGRAM,
      summary: 'Changes a program',
      answer,
      statuses: { 409: 'The program has changed since `updatedAt`' },
    },
  ),
  delete: documented(
    memberProcedure(refusal('program.deleteLogin'))
      .input(programParams)
      .mutation(({ ctx, input }) =>
        writeAndPublish(ctx, async (tx) => {
          const deleted = await tx.delete(program).where(eq(program.id, input.id)).returning({ id: program.id })
          if (deleted.length === 0) throw notFound()
          await publishProgramsChange(tx, ctx.now())
        }),
      ),
    { method: 'DELETE', path: PROGRAM, summary: 'Deletes a program' },
  ),
})
