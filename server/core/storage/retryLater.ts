import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { BucketError } from './bucketErrors.ts'

const INTERVAL_MS = 5000
/** An hour. After that, or if the process ends, the cleanup jobs remove the files. */
const ATTEMPTS = 720

type Log = Pick<FastifyBaseLogger, 'error'>
type Retries = { intervalMs?: number; attempts?: number }

/** Does work on files. If the bucket fails, returns and repeats the work until it succeeds. */
export async function retryLater(log: Log, work: () => Promise<void>, retries: Retries = {}): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof BucketError)) throw error
    log.error({ err: error }, 'cannot change files in the bucket, trying again')
    void repeat(log, work, retries)
  }
}

async function repeat(
  log: Log,
  work: () => Promise<void>,
  { intervalMs = INTERVAL_MS, attempts = ATTEMPTS }: Retries,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await sleep(intervalMs, undefined, { ref: false })
    try {
      return await work()
    } catch (error) {
      if (error instanceof BucketError && attempt < attempts) continue
      return log.error({ err: error }, 'cannot change files in the bucket, giving up')
    }
  }
}
