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
  /**
   * Returns a query of the time at which the job has work; the time may be null. Then the interval is the shortest time
   * between two runs. Without it, the job runs at each interval.
   */
  dueAt?: (services: Services) => SQL | null
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
  /** maximum wait between checks for work */
  poll: number
}
export const TIMES: JobTimes = { lease: 60, maxRun: 3600, grace: 60, poll: 15 }
/** Timers are not exact, so a job is already due after this share of its interval. */
const TIMER_TOLERANCE = 0.9

const STORED_RUNS = 5
const MAX_ERROR_LENGTH = 200

/** Leases use the database's clock, because the clocks of several machines differ. */
export const clock = sql`date_trunc('milliseconds', clock_timestamp())`
const inSeconds = (seconds: number) => sql`${clock} + make_interval(secs => ${seconds}::float8)`
/** The last run has no end: it is still running, or its process died or closed. */
export const isInterrupted = sql`(${job.endedAt} is null or ${job.endedAt} < ${job.startedAt})`
/**
 * The clock was set back since the last run: its times say nothing. A clock that is set back by less than a lease only
 * delays the next run, so that a run that has just started keeps its job.
 */
export const isFromFuture = ({ lease }: JobTimes) => gt(job.startedAt, inSeconds(lease))

/** Takes the lease if the job is due. A single statement ensures that only one process gets it. */
export async function takeLease(
  { db }: Pick<Services, 'db'>,
  { name, intervalSeconds, retrySeconds = intervalSeconds }: Job,
  times: JobTimes,
): Promise<Date | null> {
  const leasedUntil = inSeconds(times.lease)
  const interval = sql`case when ${job.failures} > 0 then ${retrySeconds}::float8 else ${intervalSeconds}::float8 end`
  const isDue = lte(job.startedAt, sql`${clock} - make_interval(secs => (${interval}) * ${TIMER_TOLERANCE}::float8)`)
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

/** Runs a job under its lease. Logs and counts the job's errors instead of throwing them. */
export async function runWithLease(
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
