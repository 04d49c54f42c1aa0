import { eq } from 'drizzle-orm'
import { job } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { Backups } from '#src/contract/operations.ts'

type Needed = Pick<Services, 'backups' | 'config'>

/** Reads the state of the scheduled backups. A destination that cannot be read is an error in the answer. */
export async function readBackups({ db, ...services }: Needed & Pick<Services, 'db'>): Promise<Backups> {
  const { everySeconds, keep } = services.config.backups
  const [[run], stored] = await Promise.all([
    db.select({ failures: job.failures, runs: job.runs }).from(job).where(eq(job.name, 'backup')),
    listBackups(services),
  ])
  const failure = everySeconds !== null && run && run.failures > 0 ? (run.runs[0]?.error ?? null) : null
  return { everySeconds, keep, ...stored, error: stored.error ?? failure }
}

/** Reads what the destination has now, so that a lost or deleted backup counts as missing. */
export async function listBackups({
  backups,
}: Pick<Needed, 'backups'>): Promise<Pick<Backups, 'count' | 'bytes' | 'last' | 'error'>> {
  try {
    const stored = await backups.list()
    const [newest] = stored
    return {
      count: stored.length,
      bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
      last: newest ? { at: newest.at, bytes: newest.bytes } : null,
      error: null,
    }
  } catch (error) {
    return { count: 0, bytes: 0, last: null, error: error instanceof Error ? error.message : String(error) }
  }
}
