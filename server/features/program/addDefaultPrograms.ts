import type { Transaction } from '#db/client.server.ts'
import { job, program } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import defaultPrograms from './defaultPrograms.json' with { type: 'json' }
import { publishProgramsChange, toProgramRow } from './service.ts'

const TASK_NAME = 'first programs'

type Writer = Pick<Services, 'db' | 'now' | 'site'>

/** Adds the default programs once, so that deleted programs do not come back. @returns the number of added programs */
export async function addDefaultPrograms({ db, now, site }: Writer): Promise<number> {
  return db.transaction(async (tx) =>
    (await claimOneTimeTask(tx, TASK_NAME, now()))
      ? addMissing(tx, now(), { addedBy: site.name, onlyIfEmpty: true })
      : 0,
  )
}

export async function addMissingDefaultPrograms({ db, now, site }: Writer): Promise<number> {
  return db.transaction(async (tx) => {
    await claimOneTimeTask(tx, TASK_NAME, now())
    return addMissing(tx, now(), { addedBy: site.name, onlyIfEmpty: false })
  })
}

type Options = { addedBy: string; onlyIfEmpty: boolean }

async function addMissing(tx: Transaction, now: Date, { addedBy, onlyIfEmpty }: Options): Promise<number> {
  const known = await tx.select({ name: program.name }).from(program)
  if (onlyIfEmpty && known.length > 0) return 0
  const names = new Set(known.map(({ name }) => name))
  const missing = defaultPrograms.filter(({ name }) => !names.has(name))
  if (missing.length === 0) return 0
  await tx.insert(program).values(missing.map((entry) => toProgramRow({ ...entry, addedBy }, now)))
  await publishProgramsChange(tx, now)
  return missing.length
}

/**
 * Claims a task that runs only once per site. Returns false if it was claimed before. Run the task in the same
 * transaction: concurrent calls wait until it ends. The claim is a row of `job` without a lease or an end.
 */
async function claimOneTimeTask(tx: Transaction, name: string, now: Date): Promise<boolean> {
  const claimed = await tx.insert(job).values({ name, startedAt: now }).onConflictDoNothing().returning()
  return claimed.length > 0
}
