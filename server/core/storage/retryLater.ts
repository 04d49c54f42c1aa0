import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { BucketError } from './bucketErrors.ts'

const INTERVAL_MS = 5000
/** An hour. After that, or if the process ends, the cleanup jobs do the work. */
const ATTEMPTS = 720

/** Does work on files. If the bucket fails, returns and repeats the work until it succeeds. */
export async function retryLater(log: Pick<FastifyBaseLogger, 'error'>, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof BucketError)) throw error
    log.error({ err: error }, 'cannot change files in the bucket, trying again')
    void repeat(log, work)
  }
}

async function repeat(log: Pick<FastifyBaseLogger, 'error'>, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    await sleep(INTERVAL_MS, undefined, { ref: false })
    try {
      return await work()
    } catch (error) {
      if (error instanceof BucketError && attempt < ATTEMPTS) continue
      return log.error({ err: error }, 'cannot change files in the bucket, leaving it to the cleanup jobs')
    }
  }
}
