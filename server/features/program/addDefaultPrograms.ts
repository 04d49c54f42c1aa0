import type { Transaction } from '#db/client.server.ts'
import { job, program } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import defaultPrograms from './defaultPrograms.json' with { type: 'json' }
import { publishProgramsChange, toProgramRow } from './service.ts'

const ADDED_BY = 'DTP'
const JOB_NAME = 'first programs'

type Writer = Pick<Services, 'db' | 'now'>

/** Runs once, so deleted programs do not come back. @returns the number of added programs */
export async function addDefaultPrograms({ db, now }: Writer): Promise<number> {
  return db.transaction(async (tx) => ((await claim(tx, now())) ? addMissing(tx, now(), { onlyIfEmpty: true }) : 0))
}

export async function addMissingDefaultPrograms({ db, now }: Writer): Promise<number> {
  return db.transaction(async (tx) => {
    await claim(tx, now())
    return addMissing(tx, now(), { onlyIfEmpty: false })
  })
}

/** Blocks until a concurrent transaction with the same claim ends. */
async function claim(tx: Transaction, now: Date): Promise<boolean> {
  const claimed = await tx.insert(job).values({ name: JOB_NAME, startedAt: now }).onConflictDoNothing().returning()
  return claimed.length > 0
}

async function addMissing(tx: Transaction, now: Date, { onlyIfEmpty }: { onlyIfEmpty: boolean }): Promise<number> {
  const known = await tx.select({ name: program.name }).from(program)
  if (onlyIfEmpty && known.length > 0) return 0
  const names = new Set(known.map(({ name }) => name))
  const missing = defaultPrograms.filter(({ name }) => !names.has(name))
  if (missing.length === 0) return 0
  await tx.insert(program).values(missing.map((entry) => toProgramRow({ ...entry, addedBy: ADDED_BY }, now)))
  await publishProgramsChange(tx, now)
  return missing.length
}
