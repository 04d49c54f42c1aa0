import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type Job, runWithLease, TIMES, takeLease } from './lease.ts'

declare module '#server/core/context.ts' {
  interface Services {
    manualRuns: ReturnType<typeof createManualRuns>
  }
}

/** Creates the runner of jobs that an admin starts. `close` aborts the runs and waits for their end. */
export function createManualRuns(jobs: Job[]) {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  return {
    jobs,
    /** Starts a run, also if the job is not due. @returns false if a process runs the job already @throws AppError 404 */
    async start(services: Services, name: string): Promise<boolean> {
      const job = jobs.find((one) => one.name === name)
      if (!job) throw errors.notFound(refusal('admin.jobNotFound'))
      const startedAt = await takeLease(services, { ...job, intervalSeconds: 0, retrySeconds: 0 }, TIMES)
      if (!startedAt) return false
      const ended = runWithLease(services, job, startedAt, TIMES, closing.signal)
        .catch((error: unknown) => services.log.error({ err: error, job: name }, 'Cannot record the end of a job'))
        .finally(() => running.delete(ended))
      running.add(ended)
      return true
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(running)
    },
  }
}
