import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { job, program } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import type { LinkCard } from '#src/contract/links.ts'
import type { ProgramForm, ProgramUpdate, ProgramView } from '#src/contract/program.ts'
import { refusal } from '#src/contract/refusal.ts'
import defaultPrograms from './defaultPrograms.json' with { type: 'json' }

type Writer = Pick<Context, 'db' | 'cache' | 'visitor' | 'now'>

export const publishProgramsChange = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'programs', change: { kind: 'programs' } }])

export async function listPrograms({ db }: Pick<Services, 'db'>): Promise<ProgramView[]> {
  return db.select().from(program).orderBy(asc(program.id))
}

export async function createProgram(ctx: Writer, form: ProgramForm): Promise<ProgramView> {
  return writeAndPublish(ctx, async (tx) => {
    const [created] = await tx.insert(program).values(toRow(form, ctx.now())).returning()
    if (!created) throw new Error('INSERT returned no program')
    await publishProgramsChange(tx, ctx.now())
    return created
  })
}

const toRow = (form: ProgramForm, now: Date) => ({ ...form, createdAt: now, updatedAt: now })

/** The row of `job` that remembers that a site got its first programs. It has no lease and no end. */
const FIRST_PROGRAMS = 'first programs'

/**
 * Adds the default programs to a new site, once: deleted programs do not come back.
 * @param isAsked adds those that are missing, to any site
 * @returns the number of added programs
 */
export const addDefaultPrograms = (
  { db, now, site }: Pick<Services, 'db' | 'now' | 'site'>,
  isAsked = false,
): Promise<number> =>
  db.transaction(async (tx) => {
    // Concurrent calls wait here until the transaction ends.
    const claim = { name: FIRST_PROGRAMS, startedAt: now() }
    const isFirst = (await tx.insert(job).values(claim).onConflictDoNothing().returning()).length > 0
    if (!isFirst && !isAsked) return 0
    const known = await tx.select({ name: program.name }).from(program)
    if (known.length > 0 && !isAsked) return 0
    const names = new Set(known.map(({ name }) => name))
    const missing = defaultPrograms.filter(({ name }) => !names.has(name))
    if (missing.length === 0) return 0
    await tx.insert(program).values(missing.map((entry) => toRow({ ...entry, addedBy: site.name }, now())))
    await publishProgramsChange(tx, now())
    return missing.length
  })

/** @throws AppError 404, or 409 if the program was changed since `updatedAt` */
export async function updateProgram(
  ctx: Writer,
  id: number,
  { updatedAt, ...form }: ProgramUpdate,
): Promise<ProgramView> {
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

export async function deleteProgram(ctx: Writer, id: number): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const deleted = await tx.delete(program).where(eq(program.id, id)).returning({ id: program.id })
    if (deleted.length === 0) throw errors.notFound(refusal('program.notFound'))
    await publishProgramsChange(tx, ctx.now())
  })
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
