import type { Transaction } from '#db/client.server.ts'
import { job } from '#db/schema/index.ts'

/**
 * Claims a task that runs only once per site. Returns false if it was claimed before. Run the task in the same
 * transaction: concurrent calls wait until it ends. The claim is a row of `job` without a lease or an end.
 */
export async function claimOneTimeTask(tx: Transaction, name: string, now: Date): Promise<boolean> {
  const claimed = await tx.insert(job).values({ name, startedAt: now }).onConflictDoNothing().returning()
  return claimed.length > 0
}
