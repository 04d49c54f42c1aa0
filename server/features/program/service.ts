import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { program } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import type { LinkCard } from '#src/contract/links.ts'
import type { ProgramForm, ProgramUpdate, ProgramView } from '#src/contract/program.ts'
import { refusal } from '#src/contract/refusal.ts'

type Writer = Pick<Context, 'db' | 'cache' | 'visitor' | 'now'>

export const publishProgramsChange = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'programs', change: { kind: 'programs' } }])

export async function listPrograms({ db }: Pick<Services, 'db'>): Promise<ProgramView[]> {
  return db.select().from(program).orderBy(asc(program.id))
}

export async function createProgram(ctx: Writer, form: ProgramForm): Promise<ProgramView> {
  return writeAndPublish(ctx, async (tx) => {
    const [created] = await tx.insert(program).values(toProgramRow(form, ctx.now())).returning()
    if (!created) throw new Error('INSERT returned no program')
    await publishProgramsChange(tx, ctx.now())
    return created
  })
}

type ProgramRow = typeof program.$inferInsert

export const toProgramRow = (form: Omit<ProgramRow, 'createdAt' | 'updatedAt'>, now: Date): ProgramRow => ({
  ...form,
  createdAt: now,
  updatedAt: now,
})

/** @throws AppError 404, or 409 if the program was changed since `updatedAt` */
export async function updateProgram(
  ctx: Writer,
  idText: string,
  { updatedAt, ...form }: ProgramUpdate,
): Promise<ProgramView> {
  const id = parseId(idText)
  return writeAndPublish(ctx, async (tx) => {
    const [changed] = await tx
      .update(program)
      // Adds a millisecond if needed: two edits in the same millisecond must have different versions.
      .set({
        ...form,
        updatedAt: sql`greatest(${ctx.now().toISOString()}, ${program.updatedAt} + interval '1 millisecond')`,
      })
      .where(and(eq(program.id, id), updatedAt && eq(program.updatedAt, updatedAt)))
      .returning()
    if (!changed) {
      const [existing] = await tx.select({ id: program.id }).from(program).where(eq(program.id, id))
      throw existing ? errors.conflict(refusal('program.changed')) : errors.notFound(refusal('program.notFound'))
    }
    await publishProgramsChange(tx, ctx.now())
    return changed
  })
}

export async function deleteProgram(ctx: Writer, idText: string): Promise<void> {
  const id = parseId(idText)
  await writeAndPublish(ctx, async (tx) => {
    const deleted = await tx.delete(program).where(eq(program.id, id)).returning({ id: program.id })
    if (deleted.length === 0) throw errors.notFound(refusal('program.notFound'))
    await publishProgramsChange(tx, ctx.now())
  })
}

function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw errors.notFound(refusal('program.notFound'))
  return Number(text)
}

/** Reads cards of programs, by id. */
export async function readProgramCards({ db }: Pick<Services, 'db'>, ids: number[]): Promise<Map<number, LinkCard>> {
  if (ids.length === 0) return new Map()
  const { id, name, description, category } = program
  const rows = await db.select({ id, name, description, category }).from(program).where(inArray(id, ids))
  return new Map(
    rows.map(({ id, ...shown }) => [id, { kind: 'program', path: `/programs-we-love#program-${id}`, ...shown }]),
  )
}
