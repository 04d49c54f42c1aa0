import { and, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { job } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

/** Work done now and then: `every` in seconds. */
export type Job = {
  name: string
  every: number
  /** seconds from the start to the first run, where it is not a minute */
  first?: number
  /** `signal` aborts when the site closes, or when another process may take the work over: end soon, begin nothing */
  run: (services: Services, signal: AbortSignal) => Promise<void>
}

/** In seconds; tests take shorter ones. */
export type Times = {
  /** how long a run belongs to a process that gives no sign of life */
  lease: number
  /** a run goes on for at most so long: one that hangs would hold its job for ever */
  longest: number
  /** a run that was told to end may take so long for it; after that it is abandoned, and the job is planned again */
  grace: number
  /** a job that another process has is looked at again at the latest after so long */
  look: number
}
const TIMES: Times = { lease: 60, longest: 3600, grace: 60, look: 30 }
/** Seconds from the start to the first run, when the rush of it is over. */
const FIRST = 60
const APART = 3
/** Timers do not agree to the second, and a run that begins a little early is no harm. */
const EARLY = 0.9

/** The database's clock: those of several machines never agree, and a lease must mean the same to all. */
const clock = sql`date_trunc('milliseconds', clock_timestamp())`
const inSeconds = (seconds: number) => sql`${clock} + make_interval(secs => ${seconds}::float8)`
/** Begun and never ended: its process died or was closed, and the work still waits to be done. */
const isInterrupted = sql`(${job.endedAt} is null or ${job.endedAt} < ${job.startedAt})`

type Taken = { startedAt: Date }

/**
 * Runs each job at its time, in one of all processes: who takes its lease runs it, renews the lease while the run goes
 * on and gives it back at the end. One whose process dies runs again when the lease has ended.
 */
export function startJobs(services: Services, jobs: Job[], times: Times = TIMES): { close: () => Promise<void> } {
  const closing = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let away = false

  const plan = (one: Job, seconds: number) => {
    if (closing.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      const look = attempt(one).finally(() => running.delete(look))
      running.add(look)
    }, seconds * 1000)
    timers.add(timer)
  }

  async function attempt(one: Job): Promise<void> {
    try {
      const taken = await take(services, one, times)
      if (taken) await runWithLease(services, one, taken, times, closing.signal)
      const next = await untilNext(services, one, times)
      if (away) services.log.info('jobs run again')
      away = false
      plan(one, next)
    } catch (error) {
      // Said once for all jobs: while the database is away it would be said all the time.
      if (!away) services.log.warn({ err: error, job: one.name }, 'jobs cannot run now')
      away = true
      plan(one, Math.min(one.every, times.look))
    }
  }

  // A little apart, or all would begin in the same moment, and again after an hour.
  for (const [index, one] of jobs.entries()) plan(one, one.first ?? FIRST + index * APART)

  return {
    async close() {
      closing.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

/** Takes the lease when the job is due and nobody holds it: one statement, so that one of all who try gets it. */
async function take({ db }: Pick<Services, 'db'>, { name, every }: Job, { lease }: Times): Promise<Taken | null> {
  const leasedUntil = inSeconds(lease)
  const isDue = lte(job.startedAt, inSeconds(-every * EARLY))
  const [taken] = await db
    .insert(job)
    .values({ name, startedAt: clock, leasedUntil })
    .onConflictDoUpdate({
      target: job.name,
      set: { startedAt: clock, leasedUntil },
      setWhere: and(or(isDue, isInterrupted), or(isNull(job.leasedUntil), lte(job.leasedUntil, clock))),
    })
    .returning({ startedAt: job.startedAt })
  return taken ?? null
}

/** Seconds until it can be worth trying again. */
async function untilNext({ db }: Pick<Services, 'db'>, { name, every }: Job, { look }: Times): Promise<number> {
  const secondsTo = (instant: SQL) => sql<number>`extract(epoch from ${instant} - ${clock})::float8`
  const [row] = await db
    .select({
      due: secondsTo(sql`case when ${isInterrupted} then ${clock} else ${job.startedAt} end`),
      free: secondsTo(sql`coalesce(${job.leasedUntil}, ${clock})`),
      interrupted: sql<boolean>`${isInterrupted}`,
    })
    .from(job)
    .where(eq(job.name, name))
  if (!row) return 0
  // Of one that another process is running or left, the lease says when; it may also be given back before.
  if (row.interrupted) return Math.min(Math.max(row.free, 0), look)
  return Math.max(row.due + every, 0)
}

/** Runs a job that was taken; never throws for what the job throws: that is counted, and logged. */
async function runWithLease(
  services: Services,
  one: Job,
  { startedAt }: Taken,
  times: Times,
  closing: AbortSignal,
): Promise<void> {
  const { db, log } = services
  const own = and(eq(job.name, one.name), eq(job.startedAt, startedAt))
  const lease = keepLease(
    async () =>
      db
        .update(job)
        .set({ leasedUntil: inSeconds(times.lease) })
        .where(own)
        .returning({ name: job.name }),
    times,
  )
  let failure: unknown = null
  try {
    const signal = AbortSignal.any([closing, lease.lost])
    await waitForRun(one.run(services, signal), signal, times)
    if (lease.lost.aborted) failure = lease.lost.reason
  } catch (error) {
    failure = error
  } finally {
    lease.stop()
  }
  if (failure && !closing.aborted) log.error({ err: failure, job: one.name }, 'job failed')
  const end = {
    endedAt: sql`greatest(${clock}, ${job.startedAt})`,
    failures: failure ? sql`${job.failures} + 1` : 0,
  }
  // What closing cut short has no end: without a lease it is the next one's work at once.
  await db
    .update(job)
    .set({ leasedUntil: null, ...(!closing.aborted && end) })
    .where(own)
}

/**
 * Waits for a run; once its signal has aborted, only for `grace` more.
 * @throws Error when the run goes on after that: it can be neither ended nor waited for
 */
async function waitForRun(run: Promise<void>, signal: AbortSignal, { grace }: Times): Promise<void> {
  const settled = new AbortController()
  const abandoned = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('the run ignores its signal', { cause: signal.reason }))
    const begin = () => {
      const timer = setTimeout(giveUp, grace * 1000)
      settled.signal.addEventListener('abort', () => clearTimeout(timer))
    }
    if (signal.aborted) begin()
    else signal.addEventListener('abort', begin, { signal: settled.signal, once: true })
  })
  try {
    await Promise.race([run, abandoned])
  } finally {
    settled.abort()
  }
}

/**
 * Moves the end of a lease on, well before it is reached, until `stop`. `lost` aborts as soon as another process may
 * believe the lease to have ended, whatever keeps this one from renewing it.
 */
function keepLease(
  renew: () => Promise<unknown[]>,
  { lease, longest }: Times,
): { lost: AbortSignal; stop: () => void } {
  const lost = new AbortController()
  const loseAfter = (seconds: number, reason: string) =>
    setTimeout(() => lost.abort(new Error(reason)), Math.max(seconds, 0) * 1000)
  // A little less than the database counts.
  const expireAfter = (seconds: number) => loseAfter(seconds, 'the lease could not be renewed')
  const longestRun = loseAfter(longest, 'the run took too long')
  let expiry = expireAfter(lease * EARLY)
  let isRenewing = false
  const timer = setInterval(
    async () => {
      if (isRenewing || lost.signal.aborted) return
      isRenewing = true
      const askedAt = performance.now()
      // One that fails is tried again until the lease is over.
      const renewed = await renew().catch(() => null)
      isRenewing = false
      if (renewed === null || lost.signal.aborted) return
      clearTimeout(expiry)
      if (renewed.length === 0) expiry = loseAfter(0, 'another process has the job')
      else expiry = expireAfter(lease * EARLY - (performance.now() - askedAt) / 1000)
    },
    (lease * 1000) / 3,
  )
  const stop = () => {
    clearInterval(timer)
    clearTimeout(expiry)
    clearTimeout(longestRun)
  }
  return { lost: lost.signal, stop }
}
