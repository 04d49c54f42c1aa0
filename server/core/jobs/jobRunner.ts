import { sql } from 'drizzle-orm'
import { job } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Catalogue } from '#src/i18n/types.ts'
import { clock, isFromFuture, isInterrupted, type Job, type JobTimes, runWithLease, TIMES, takeLease } from './lease.ts'

const FIRST_DELAY_SECONDS = 60
/** Delay between the first runs, so that jobs with the same interval do not start together. */
const STAGGER_SECONDS = 20

/**
 * Runs each job in the process that takes its lease. After a crash, the job runs again when its lease expires. One
 * statement reads when all jobs are due: before the next one is, after each run, and every `poll` seconds unless all
 * run.
 */
export function startJobs(services: Services, jobs: Job[], times: JobTimes = TIMES): { close: () => Promise<void> } {
  const closing = new AbortController()
  const running = new Map<Job, Promise<void>>()
  /** Earliest times of the first runs. What changed while no process ran is work, too. */
  const firstRuns = new Map<Job, number>()
  let isFailing = false
  let wake = () => {}

  const delayFirstRun = (job: Job, seconds: number) => firstRuns.set(job, performance.now() + seconds * 1000)

  /** Logs once for all jobs: when the database is down, every job fails. */
  function warnOnce(error: unknown): void {
    if (!isFailing) services.log.warn({ err: error }, 'jobs cannot run now')
    isFailing = true
  }

  async function run(job: Job): Promise<void> {
    try {
      const startedAt = await takeLease(services, job, times)
      firstRuns.delete(job)
      if (startedAt) await runWithLease(services, job, startedAt, times, closing.signal)
    } catch (error) {
      warnOnce(error)
      delayFirstRun(job, Math.min(job.intervalSeconds, times.poll))
    }
    running.delete(job)
    wake()
  }

  /** Starts the jobs that are due. @returns the seconds until the next one is */
  async function startDueJobs(): Promise<number> {
    if (jobs.every((job) => running.has(job))) return times.poll
    const waits = await readWaits(services, jobs, times)
    if (isFailing) services.log.info('jobs run again')
    isFailing = false
    let next = times.poll
    for (const job of jobs) {
      const { pause = 0, work = null } = waits.get(job.name) ?? {}
      const firstRun = firstRuns.get(job)
      const untilWork =
        firstRun === undefined ? (job.dueAt ? (work ?? times.poll) : 0) : (firstRun - performance.now()) / 1000
      const wait = Math.max(pause, untilWork)
      if (running.has(job) || closing.signal.aborted) continue
      if (wait > 0) next = Math.min(next, wait)
      else running.set(job, run(job))
    }
    return next
  }

  async function repeat(): Promise<void> {
    while (!closing.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const seconds = await startDueJobs().catch((error) => {
        warnOnce(error)
        return times.poll
      })
      const timer = setTimeout(wake, Math.ceil(seconds * 1000))
      if (!closing.signal.aborted) await woken
      clearTimeout(timer)
    }
  }

  for (const [index, job] of jobs.entries())
    delayFirstRun(job, job.delaySeconds ?? FIRST_DELAY_SECONDS + index * STAGGER_SECONDS)
  const repeating = jobs.length > 0 ? repeat() : null
  return {
    async close() {
      closing.abort()
      wake()
      await Promise.all([repeating, ...running.values()])
    },
  }
}

type Wait = {
  name: string
  /** seconds until the job's interval is over, or its lease */
  pause: number
  /** seconds until the job has work; null if it has none, or no query */
  work: number | null
}

/** Reads when all jobs are due, with one statement. */
async function readWaits(services: Services, jobs: Job[], times: JobTimes): Promise<Map<string, Wait>> {
  const now = sql`${services.now().toISOString()}::timestamptz`
  const listed = jobs.map(({ name, intervalSeconds, retrySeconds = intervalSeconds, dueAt }) => {
    const work = dueAt?.(services) ?? sql`null`
    return sql`(${name}::text, ${intervalSeconds}::float8, ${retrySeconds}::float8, (${work})::timestamptz)`
  })
  const rows = await services.db.execute<Wait>(sql`select listed.name, case
      when ${job.name} is null or ${isFromFuture(times)} then 0
      when ${isInterrupted} then extract(epoch from coalesce(${job.leasedUntil}, ${clock}) - ${clock})
      else extract(epoch from ${job.startedAt} - ${clock}) + case when ${job.failures} > 0 then retry else pause end
    end::float8 as pause, extract(epoch from work - ${now})::float8 as work
    from (values ${sql.join(listed, sql`, `)}) as listed(name, pause, retry, work)
    left join ${job} on ${job.name} = listed.name`)
  return new Map(rows.map((row) => [row.name, row]))
}

declare module '#server/core/context.ts' {
  interface Services {
    manualRuns: ReturnType<typeof createManualRuns>
  }
}

/** A job of the site. Each name has a text that says what the job does, for admins. */
export type NamedJob = Job & { name: keyof Catalogue['job'] }

/** Creates the runner of jobs that an admin starts. `close` aborts the runs and waits for their end. */
export function createManualRuns(jobs: NamedJob[]) {
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
