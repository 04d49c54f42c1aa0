import { inArray } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { job, program } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import type { LinkCard } from '#src/contract/links.ts'
import type { ProgramForm } from '#src/contract/program.ts'
import defaultPrograms from './defaultPrograms.json' with { type: 'json' }

export const publishProgramsChange = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'programs', change: { kind: 'programs' } }])

export const toProgramRow = (form: ProgramForm, now: Date) => ({ ...form, createdAt: now, updatedAt: now })

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
    await tx.insert(program).values(missing.map((entry) => toProgramRow({ ...entry, addedBy: site.name }, now())))
    await publishProgramsChange(tx, now())
    return missing.length
  })

/** Reads cards of programs, by id. */
export async function readProgramCards({ db }: Pick<Services, 'db'>, ids: number[]): Promise<Map<number, LinkCard>> {
  if (ids.length === 0) return new Map()
  const { id, name, description, category } = program
  const rows = await db.select({ id, name, description, category }).from(program).where(inArray(id, ids))
  return new Map(
    rows.map(({ id, ...shown }) => [id, { kind: 'program', path: `/programs-we-love#program-${id}`, ...shown }]),
  )
}
