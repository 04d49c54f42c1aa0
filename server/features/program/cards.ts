import { inArray } from 'drizzle-orm'
import { program } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { LinkCard } from '#src/contract/linkCard.ts'

/** Reads cards of programs, by id. */
export async function readProgramCards({ db }: Pick<Services, 'db'>, ids: number[]): Promise<Map<number, LinkCard>> {
  if (ids.length === 0) return new Map()
  const { id, name, description, category } = program
  const rows = await db.select({ id, name, description, category }).from(program).where(inArray(id, ids))
  return new Map(
    rows.map(({ id, ...shown }) => [id, { kind: 'program', path: `/programs-we-love#program-${id}`, ...shown }]),
  )
}
