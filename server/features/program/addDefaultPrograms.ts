import type { Transaction } from '#db/client.server.ts'
import { program } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { claimOneTimeTask } from '#server/core/jobs/oneTimeTask.ts'
import defaultPrograms from './defaultPrograms.json' with { type: 'json' }
import { publishProgramsChange, toProgramRow } from './service.ts'

const ADDED_BY = 'DTP'
const TASK_NAME = 'first programs'

type Writer = Pick<Services, 'db' | 'now'>

/** Adds the default programs once, so that deleted programs do not come back. @returns the number of added programs */
export async function addDefaultPrograms({ db, now }: Writer): Promise<number> {
  return db.transaction(async (tx) =>
    (await claimOneTimeTask(tx, TASK_NAME, now())) ? addMissing(tx, now(), { onlyIfEmpty: true }) : 0,
  )
}

export async function addMissingDefaultPrograms({ db, now }: Writer): Promise<number> {
  return db.transaction(async (tx) => {
    await claimOneTimeTask(tx, TASK_NAME, now())
    return addMissing(tx, now(), { onlyIfEmpty: false })
  })
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
