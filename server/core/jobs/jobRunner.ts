import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { job } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { loggedError } from '#server/core/errors.ts'

export type Job = {
  name: string
  intervalSeconds: number
  /** time from the start of the site to the first run */
  delaySeconds?: number
  /** interval after a failed run, if it is not the usual one */
  retrySeconds?: number
  /** replaces the maximum time of a run */
  maxRunSeconds?: number
  /** must end soon when `signal` aborts: the site closes, or another process may take the job */
  run: (services: Services, signal: AbortSignal) => Promise<void>
}

/** All times in seconds. */
export type JobTimes = {
  /** time after which another process may take over the run of a dead process */
  lease: number
  /** maximum time of a run; otherwise a run that hangs would block its job forever. null for runs without an end */
  maxRun: number | null
  /** time for an aborted run to end; afterwards the run is abandoned and the job is scheduled again */
  grace: number
  /** maximum wait between checks of a job that another process runs */
  poll: number
}
const TIMES: JobTimes = { lease: 60, maxRun: 3600, grace: 60, poll: 30 }
const FIRST_DELAY_SECONDS = 60
/** Delay between the first runs, so that jobs with the same interval do not start together. */
const STAGGER_SECONDS = 3
/** Timers are not exact, so a job is already due after this share of its interval. */
const TIMER_TOLERANCE = 0.9

const STORED_RUNS = 5
const MAX_ERROR_LENGTH = 200

/** Leases use the database's clock, because the clocks of several machines differ. */
const clock = sql`date_trunc('milliseconds', clock_timestamp())`
const inSeconds = (seconds: number) => sql`${clock} + make_interval(secs => ${seconds}::float8)`
/** The last run has no end: it is still running, or its process died or closed. */
const isInterrupted = sql`(${job.endedAt} is null or ${job.endedAt} < ${job.startedAt})`
/**
 * The clock was set back since the last run: its times say nothing. A clock that is set back by less than a lease only
 * delays the next run, so that a run that has just started keeps its job.
 */
const isFromFuture = ({ lease }: JobTimes) => gt(job.startedAt, inSeconds(lease))

/** Runs each job in the process that takes its lease. After a crash, the job runs again when its lease expires. */
export function startJobs(services: Services, jobs: Job[], times: JobTimes = TIMES): { close: () => Promise<void> } {
  const closing = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isFailing = false

  const schedule = (job: Job, seconds: number) => {
    if (closing.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      const attempt = runIfDue(job).finally(() => running.delete(attempt))
      running.add(attempt)
    }, seconds * 1000)
    timers.add(timer)
  }

  async function runIfDue(job: Job): Promise<void> {
    try {
      const startedAt = await takeLease(services, job, times)
      if (startedAt) await runWithLease(services, job, startedAt, times, closing.signal)
      const next = await secondsUntilNext(services, job, times)
      if (isFailing) services.log.info('jobs run again')
      isFailing = false
      schedule(job, next)
    } catch (error) {
      // Log once for all jobs: when the database is down, every job fails.
      if (!isFailing) services.log.warn({ err: error, job: job.name }, 'jobs cannot run now')
      isFailing = true
      schedule(job, Math.min(job.intervalSeconds, times.poll))
    }
  }

  for (const [index, job] of jobs.entries()) {
    schedule(job, job.delaySeconds ?? FIRST_DELAY_SECONDS + index * STAGGER_SECONDS)
  }

  return {
    async close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

/**
 * Runs a job now, also if it is not due.
 * @returns the end of the run, or null if a process runs the job already
 */
export async function runJobNow(
  services: Services,
  job: Job,
  closing: AbortSignal,
  times: JobTimes = TIMES,
): Promise<{ ended: Promise<void> } | null> {
  const startedAt = await takeLease(services, { ...job, intervalSeconds: 0, retrySeconds: 0 }, times)
  return startedAt && { ended: runWithLease(services, job, startedAt, times, closing) }
}

/** Takes the lease if the job is due. A single statement ensures that only one process gets it. */
async function takeLease(
  { db }: Pick<Services, 'db'>,
  { name, ...intervals }: Job,
  times: JobTimes,
): Promise<Date | null> {
  const leasedUntil = inSeconds(times.lease)
  const isDue = lte(
    job.startedAt,
    sql`${clock} - make_interval(secs => ${intervalOf(intervals)} * ${TIMER_TOLERANCE}::float8)`,
  )
  const [run] = await db
    .insert(job)
    .values({ name, startedAt: clock, leasedUntil })
    .onConflictDoUpdate({
      target: job.name,
      set: { startedAt: clock, leasedUntil },
      setWhere: or(
        isFromFuture(times),
        and(or(isDue, isInterrupted), or(isNull(job.leasedUntil), lte(job.leasedUntil, clock))),
      ),
    })
    .returning({ startedAt: job.startedAt })
  return run?.startedAt ?? null
}

/** Returns the seconds between two runs, which are fewer after a failure of some jobs. */
const intervalOf = ({
  intervalSeconds,
  retrySeconds = intervalSeconds,
}: Pick<Job, 'intervalSeconds' | 'retrySeconds'>) =>
  sql<number>`case when ${job.failures} > 0 then ${retrySeconds}::float8 else ${intervalSeconds}::float8 end`

async function secondsUntilNext(
  { db }: Pick<Services, 'db'>,
  { name, ...intervals }: Job,
  times: JobTimes,
): Promise<number> {
  const secondsTo = (instant: SQL) => sql<number>`extract(epoch from ${instant} - ${clock})::float8`
  const [row] = await db
    .select({
      due: secondsTo(sql`case when ${isInterrupted} then ${clock} else ${job.startedAt} end`),
      free: secondsTo(sql`coalesce(${job.leasedUntil}, ${clock})`),
      interval: intervalOf(intervals),
      interrupted: sql<boolean>`${isInterrupted}`,
      fromFuture: sql<boolean>`${isFromFuture(times)}`,
    })
    .from(job)
    .where(eq(job.name, name))
  if (!row || row.fromFuture) return 0
  // Check again when the other process's lease expires. It may be released earlier, so wait at most `poll` seconds.
  if (row.interrupted) return Math.min(Math.max(row.free, 0), times.poll)
  return Math.max(row.due + row.interval, 0)
}

/** Runs a job under its lease. Logs and counts the job's errors instead of throwing them. */
async function runWithLease(
  services: Services,
  { name, run: runJob, maxRunSeconds }: Job,
  startedAt: Date,
  times: JobTimes,
  closing: AbortSignal,
): Promise<void> {
  const { db, log } = services
  const own = and(eq(job.name, name), eq(job.startedAt, startedAt))
  const lease = renewLease(
    async () =>
      db
        .update(job)
        .set({ leasedUntil: inSeconds(times.lease) })
        .where(own)
        .returning({ name: job.name }),
    { ...times, maxRun: maxRunSeconds ?? times.maxRun },
  )
  let failure: unknown = null
  try {
    const signal = AbortSignal.any([closing, lease.lost])
    await waitForRun(runJob(services, signal), signal, times)
    if (lease.lost.aborted) failure = lease.lost.reason
  } catch (error) {
    failure = error
  } finally {
    lease.stop()
  }
  if (failure && !closing.aborted) log.error({ err: failure, job: name }, 'job failed')
  const endedAt = sql`greatest(${clock}, ${job.startedAt})`
  const run = sql`jsonb_build_object('startedAt', ${startedAt.toISOString()}::text,
    'seconds', extract(epoch from ${endedAt} - ${job.startedAt})::float8, 'error', ${describeFailure(failure)}::text)`
  const end = {
    endedAt,
    runs: sql`jsonb_path_query_array(${run} || ${job.runs}, ${`$[0 to ${STORED_RUNS - 1}]`}::jsonpath)`,
    failures: failure ? sql`${job.failures} + 1` : 0,
  }
  // When the site closes, the run gets no end time. The next process then runs the job at once.
  await db
    .update(job)
    .set({ leasedUntil: null, ...(!closing.aborted && end) })
    .where(own)
}

/** Returns what admins read about a failed run: the innermost cause, because the error of a query repeats the query. */
function describeFailure(failure: unknown): string | null {
  if (!failure) return null
  const { message, causes = [] } = loggedError(failure)
  return (causes.at(-1)?.message || message).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH).toWellFormed()
}

/** Waits for a run, at most `grace` seconds after the signal aborts. @throws Error when the run ignores its signal */
async function waitForRun(run: Promise<void>, signal: AbortSignal, { grace }: JobTimes): Promise<void> {
  const settled = new AbortController()
  const waitForGrace = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: settled.signal })
    await sleep(grace * 1000, undefined, { signal: settled.signal })
    throw new Error('the run ignores its signal', { cause: signal.reason })
  }
  await Promise.race([run, waitForGrace()]).finally(() => settled.abort())
}

/** Renews a lease until `stop` is called. The signal `lost` aborts before another process can take the lease. */
function renewLease(
  renew: () => Promise<unknown[]>,
  { lease, maxRun }: JobTimes,
): { lost: AbortSignal; stop: () => void } {
  const lost = new AbortController()
  const loseAfter = (seconds: number, reason: string) =>
    setTimeout(() => lost.abort(new Error(reason)), Math.max(seconds, 0) * 1000)
  // Timers are not exact, so this timer ends slightly before the lease in the database.
  const expireAfter = (seconds: number) => loseAfter(seconds, 'the lease could not be renewed')
  const runTimeout = maxRun === null ? undefined : loseAfter(maxRun, 'the run took too long')
  let expiry = expireAfter(lease * TIMER_TOLERANCE)
  let isRenewing = false
  const timer = setInterval(
    async () => {
      if (isRenewing || lost.signal.aborted) return
      isRenewing = true
      const startedAt = performance.now()
      // If a renewal fails, the timer tries again until the lease expires.
      const renewed = await renew().catch(() => null)
      isRenewing = false
      if (renewed === null || lost.signal.aborted) return
      clearTimeout(expiry)
      if (renewed.length === 0) expiry = loseAfter(0, 'another process has the job')
      else expiry = expireAfter(lease * TIMER_TOLERANCE - (performance.now() - startedAt) / 1000)
    },
    (lease * 1000) / 3,
  )
  const stop = () => {
    clearInterval(timer)
    clearTimeout(expiry)
    clearTimeout(runTimeout)
  }
  return { lost: lost.signal, stop }
}
