import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { job } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { startJobs } from '#server/core/jobs/jobRunner.ts'
import type { Job, JobTimes } from '#server/core/jobs/lease.ts'
import { addDefaultPrograms } from '#server/features/program/service.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const HOUR = 3600
/** In seconds. The lease is shorter than a run, so the job must renew it. */
const SHORT: JobTimes = { lease: 0.6, maxRun: 60, grace: 5, poll: 0.2 }

let site: TestSite
const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() }
const open: { close: () => Promise<void> }[] = []
beforeAll(async () => {
  site = await startSite()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((runner) => runner.close()))
  vi.clearAllMocks()
})
afterAll(() => site.close())

function start(run: Job['run'], { name = 'a job', every = HOUR, times = SHORT, services = {} as Partial<Services> }) {
  const all = { ...site.app.services, log, ...services } as unknown as Services
  const runner = startJobs(all, [{ name, intervalSeconds: every, delaySeconds: 0, run }], times)
  open.push(runner)
  return runner
}

const rowOf = async (name: string) => (await site.app.services.db.select().from(job).where(eq(job.name, name)))[0]
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

test.runIf(isDeep)(
  'runs a job in one process at a time, also when it takes longer than its lease and interval',
  async () => {
    let now = 0
    let most = 0
    let runs = 0
    const run = async () => {
      most = Math.max(most, ++now)
      await sleep(3)
      now--
      runs++
    }
    // Long enough for a busy machine, which renews the lease late.
    const times = { ...SHORT, lease: 2 }
    for (let process = 0; process < 3; process++) start(run, { name: 'long', every: 0.1, times })
    await expect.poll(() => runs).toBeGreaterThanOrEqual(2)
    expect(most).toBe(1)
  },
)

test('runs a job whose last run is in the future because the clock was wrong', async () => {
  const future = new Date(Date.now() + 31 * 24 * HOUR * 1000)
  const times = { startedAt: future, endedAt: future, leasedUntil: future }
  await site.app.services.db.insert(job).values({ name: 'from the future', ...times })
  const run = vi.fn(async () => {})
  start(run, { name: 'from the future' })
  await expect.poll(async () => Number((await rowOf('from the future'))?.endedAt)).toBeLessThan(future.getTime())
  // The next run is due in an hour.
  await sleep(0.5)
  expect(run).toHaveBeenCalledTimes(1)
})

test('does not run a job again when another process has just run it', async () => {
  const run = vi.fn(async () => {})
  start(run, { name: 'hourly' })
  await expect.poll(async () => (await rowOf('hourly'))?.endedAt).toBeTruthy()
  const other = vi.fn(async () => {})
  await Promise.all([start(other, { name: 'hourly' }), start(other, { name: 'another' })])
  await expect.poll(async () => (await rowOf('another'))?.endedAt).toBeTruthy()
  expect(run).toHaveBeenCalledOnce()
  expect(other).toHaveBeenCalledOnce()
  expect(await rowOf('hourly')).toMatchObject({ leasedUntil: null, failures: 0 })
})

test.each([
  ['a minute ago', '-1 minute'],
  ['just now, before the clock was set back', '0.4 seconds'],
])('runs the job of a killed process when its lease expires, not before: started %s', async (name, offset) => {
  const { db } = site.app.services
  await db.execute(sql`insert into job (name, started_at, leased_until)
    values (${name}, now() + ${offset}::interval, clock_timestamp() + interval '700 milliseconds')`)
  const leasedUntil = (await rowOf(name))?.leasedUntil?.getTime() ?? 0
  const run = vi.fn(async () => {})
  start(run, { name })
  await expect.poll(() => run.mock.calls.length).toBe(1)
  const begun = (await rowOf(name))?.startedAt.getTime() ?? 0
  expect(begun).toBeGreaterThanOrEqual(leasedUntil)
  expect(begun - leasedUntil).toBeLessThan(30_000)
})

test('aborts a run and waits for its end on close, and the next process runs the job at once', async () => {
  let ended = false
  const runner = start(
    async (_services, signal) => {
      await aborted(signal)
      await sleep(0.1)
      ended = true
    },
    { name: 'closed', times: { ...SHORT, lease: HOUR } },
  )
  await expect.poll(() => rowOf('closed')).toMatchObject({ leasedUntil: expect.any(Date), endedAt: null })
  await runner.close()
  expect(ended).toBe(true)
  expect(await rowOf('closed')).toMatchObject({ leasedUntil: null, endedAt: null, failures: 0 })
  expect(log.error).not.toHaveBeenCalled()
  const next = vi.fn(async () => {})
  start(next, { name: 'closed' })
  await expect.poll(() => next.mock.calls.length).toBe(1)
})

test('counts and logs a failure, and runs the job again at its next interval', async () => {
  const begun: number[] = []
  const run = async () => {
    begun.push(performance.now())
    if (begun.length < 3) throw new Error('no luck')
  }
  start(run, { name: 'failing', every: 0.5 })
  await expect.poll(() => rowOf('failing')).toMatchObject({ failures: 2 })
  await expect.poll(() => rowOf('failing')).toMatchObject({ failures: 0, endedAt: expect.any(Date) })
  expect((await rowOf('failing'))?.runs.slice(-3)).toEqual([
    { startedAt: expect.stringMatching(/^\d{4}-/), seconds: expect.any(Number), error: null },
    expect.objectContaining({ error: 'no luck' }),
    expect.objectContaining({ error: 'no luck' }),
  ])
  for (const [index, at] of begun.slice(1).entries()) expect(at - (begun[index] ?? 0)).toBeGreaterThan(400)
  expect(log.error.mock.calls.slice(0, 2)).toEqual(
    Array(2).fill([{ err: expect.objectContaining({ message: 'no luck' }), job: 'failing' }, 'job failed']),
  )
})

test('aborts a run whose lease another process took, and does not change its row', async () => {
  let reason: unknown
  start(
    async (_services, signal) => {
      await site.app.services.db.execute(sql`update job set started_at = started_at + interval '0.1 second',
        leased_until = clock_timestamp() + interval '1 hour' where name = 'lost'`)
      await aborted(signal)
      reason = signal.reason
    },
    { name: 'lost' },
  )
  await expect.poll(() => reason).toEqual(new Error('another process has the job'))
  await expect.poll(() => log.error.mock.calls.length).toBe(1)
  const row = await rowOf('lost')
  expect(row).toMatchObject({ endedAt: null, failures: 0 })
  expect(row?.leasedUntil?.getTime()).toBeGreaterThan(Date.now() + 60_000)
})

test('aborts a run that hangs and releases its lease', async () => {
  let reason: unknown
  start(
    async (_services, signal) => {
      await aborted(signal)
      reason = signal.reason
    },
    { name: 'hanging', times: { ...SHORT, maxRun: 0.3 } },
  )
  await expect.poll(() => reason).toEqual(new Error('the run took too long'))
  await expect.poll(() => rowOf('hanging')).toMatchObject({ failures: 1, leasedUntil: null })
})

test('logs and abandons a run that never settles, and runs the job again', async () => {
  const signals: AbortSignal[] = []
  const run: Job['run'] = (_services, signal) => {
    signals.push(signal)
    return new Promise(() => {})
  }
  start(run, { name: 'stuck', every: 0.1, times: { ...SHORT, maxRun: 0.2, grace: 0.2 } })
  await expect.poll(() => signals.length).toBeGreaterThanOrEqual(2)
  expect(signals[0]?.reason).toEqual(new Error('the run took too long'))
  expect(log.error.mock.calls[0]).toEqual([
    { err: new Error('the run ignores its signal'), job: 'stuck' },
    'job failed',
  ])
})

test('does not overlap a run that ends within its grace period with the next run', async () => {
  let now = 0
  let most = 0
  let runs = 0
  const run: Job['run'] = async (_services, signal) => {
    most = Math.max(most, ++now)
    await aborted(signal)
    await sleep(0.3)
    now--
    runs++
  }
  start(run, { name: 'late', every: 0.1, times: { ...SHORT, maxRun: 0.2 } })
  await expect.poll(() => runs).toBeGreaterThanOrEqual(2)
  expect(most).toBe(1)
})

test('reads nothing while it runs all its jobs', async () => {
  const read = vi.spyOn(site.app.services.db, 'execute')
  const run = vi.fn(async (_services: Services, signal: AbortSignal) => aborted(signal))
  start(run, { name: 'without an end' })
  await expect.poll(() => run.mock.calls.length).toBe(1)
  read.mockClear()
  await sleep(3 * SHORT.poll)
  expect(read).not.toHaveBeenCalled()
  read.mockRestore()
})

test('runs a job without work once, and again when its work is due', async () => {
  const { services } = site.app
  let dueAt: Date | null = null
  const run = vi.fn(async () => {
    dueAt = null
  })
  const all = { ...services, log } as unknown as Services
  const query = () => (dueAt ? sql`${dueAt.toISOString()}` : null)
  const runner = startJobs(
    all,
    [{ name: 'on demand', intervalSeconds: 0.1, delaySeconds: 0, dueAt: query, run }],
    SHORT,
  )
  open.push(runner)
  await expect.poll(() => run.mock.calls.length).toBe(1)
  await sleep(1)
  expect(run).toHaveBeenCalledTimes(1)
  const due = new Date(services.now().getTime() + 800)
  dueAt = due
  await expect.poll(() => run.mock.calls.length).toBe(2)
  expect(services.now().getTime()).toBeGreaterThanOrEqual(due.getTime())
  await sleep(0.5)
  expect(run).toHaveBeenCalledTimes(2)
})

test('runs nothing during a database outage, aborts runs in time, and continues after it', async () => {
  let away = false
  const real = site.app.services.db
  const db = new Proxy(real, {
    get: (target, name) => {
      if (away) throw new Error('away')
      return Reflect.get(target, name).bind(target)
    },
  })
  const reasons: unknown[] = []
  let runs = 0
  const run: Job['run'] = async (_services, signal) => {
    if (++runs > 1) return
    away = true
    await aborted(signal)
    reasons.push(signal.reason)
  }
  start(run, { name: 'cut off', every: 0.3, services: { db } })
  await expect.poll(() => reasons).toEqual([new Error('the lease could not be renewed')])
  await expect.poll(() => log.warn.mock.calls.length).toBe(1)
  const other = vi.fn(async () => {})
  start(other, { name: 'cut off too', every: 0.3, services: { db } })
  await expect.poll(() => log.warn.mock.calls.length).toBe(2)
  expect(other).not.toHaveBeenCalled()
  away = false
  await expect.poll(() => Math.min(runs - 1, other.mock.calls.length)).toBeGreaterThan(0)
  await expect.poll(() => rowOf('cut off')).toMatchObject({ failures: 0 })
  // The job runner logs this shortly after the first successful run.
  await expect.poll(() => log.info.mock.calls).toContainEqual(['jobs run again'])
})

test('keeps the row of the default programs apart from jobs', async () => {
  await addDefaultPrograms(site.app.services)
  expect(await rowOf('first programs')).toMatchObject({ leasedUntil: null, endedAt: null, failures: 0 })
  expect(await addDefaultPrograms(site.app.services)).toBe(0)
})
