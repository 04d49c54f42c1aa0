import type { Transaction } from '#db/client.server.ts'
import { job } from '#db/schema/index.ts'

/**
 * Returns whether the site has never run a task; the task must run in the same transaction. Concurrent calls wait.
 * The task is a row of `job` without a lease or an end.
 */
export async function claimOneTimeTask(tx: Transaction, name: string, now: Date): Promise<boolean> {
  const claimed = await tx.insert(job).values({ name, startedAt: now }).onConflictDoNothing().returning()
  return claimed.length > 0
}
