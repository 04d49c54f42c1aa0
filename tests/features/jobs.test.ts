import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { job } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { type Job, startJobs, type Times } from '#server/core/jobs/jobRunner.ts'
import { addDefaultPrograms } from '#server/features/program/addDefaultPrograms.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const HOUR = 3600
/** seconds; a run that lasts longer than its lease is what the lease is renewed for */
const SHORT: Times = { lease: 0.6, longest: 60, grace: 5, look: 0.2 }

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
  const runner = startJobs(all, [{ name, every, first: 0, run }], times)
  open.push(runner)
  return runner
}

const rowOf = async (name: string) => (await site.app.services.db.select().from(job).where(eq(job.name, name)))[0]
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

test('of several processes one runs a job at a time, also when it takes longer than its lease and its period', async () => {
  let now = 0
  let most = 0
  let runs = 0
  const run = async () => {
    most = Math.max(most, ++now)
    await sleep(0.9)
    now--
    runs++
  }
  for (let process = 0; process < 3; process++) start(run, { name: 'long', every: 0.1 })
  await expect.poll(() => runs).toBeGreaterThanOrEqual(3)
  expect(most).toBe(1)
})

test('a job that was just done is not done again by a process that starts', async () => {
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

test('what a killed process was at is done when its lease has ended, and not before', async () => {
  const { db } = site.app.services
  await db.execute(sql`insert into job (name, started_at, leased_until)
    values ('killed', now() - interval '1 minute', clock_timestamp() + interval '700 milliseconds')`)
  const leasedUntil = (await rowOf('killed'))?.leasedUntil?.getTime() ?? 0
  const run = vi.fn(async () => {})
  start(run, { name: 'killed' })
  await expect.poll(() => run.mock.calls.length).toBe(1)
  const begun = (await rowOf('killed'))?.startedAt.getTime() ?? 0
  expect(begun).toBeGreaterThanOrEqual(leasedUntil)
  expect(begun - leasedUntil).toBeLessThan(5000)
})

test('closing tells the run and waits for its end; the next process takes the work up at once', async () => {
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

test('a failure is counted and logged, and the job is tried again at its next time', async () => {
  const begun: number[] = []
  const run = async () => {
    begun.push(performance.now())
    if (begun.length < 3) throw new Error('no luck')
  }
  start(run, { name: 'failing', every: 0.5 })
  await expect.poll(() => rowOf('failing')).toMatchObject({ failures: 2 })
  await expect.poll(() => rowOf('failing')).toMatchObject({ failures: 0, endedAt: expect.any(Date) })
  for (const [index, at] of begun.slice(1).entries()) expect(at - (begun[index] ?? 0)).toBeGreaterThan(400)
  expect(log.error.mock.calls.slice(0, 2)).toEqual(
    Array(2).fill([{ err: expect.objectContaining({ message: 'no luck' }), job: 'failing' }, 'job failed']),
  )
})

test('a run is told that another process has its job, and does not touch what is the other’s now', async () => {
  let reason: unknown
  start(
    async (_services, signal) => {
      await site.app.services.db.execute(sql`update job set started_at = started_at + interval '1 second',
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

test('a run that hangs is told so, and loses its lease', async () => {
  let reason: unknown
  start(
    async (_services, signal) => {
      await aborted(signal)
      reason = signal.reason
    },
    { name: 'hanging', times: { ...SHORT, longest: 0.3 } },
  )
  await expect.poll(() => reason).toEqual(new Error('the run took too long'))
  await expect.poll(() => rowOf('hanging')).toMatchObject({ failures: 1, leasedUntil: null })
})

test('a run that never settles is logged and abandoned, and the job runs again', async () => {
  const signals: AbortSignal[] = []
  const run: Job['run'] = (_services, signal) => {
    signals.push(signal)
    return new Promise(() => {})
  }
  start(run, { name: 'stuck', every: 0.1, times: { ...SHORT, longest: 0.2, grace: 0.2 } })
  await expect.poll(() => signals.length).toBeGreaterThanOrEqual(2)
  expect(signals[0]?.reason).toEqual(new Error('the run took too long'))
  expect(log.error.mock.calls[0]).toEqual([
    { err: new Error('the run ignores its signal'), job: 'stuck' },
    'job failed',
  ])
})

test('a run that ends late, but within its grace, does not overlap with the next', async () => {
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
  start(run, { name: 'late', every: 0.1, times: { ...SHORT, longest: 0.2 } })
  await expect.poll(() => runs).toBeGreaterThanOrEqual(2)
  expect(most).toBe(1)
})

test('while the database is away nothing runs, a run under way loses its lease in time, and all goes on after it', async () => {
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
  // Told when the first run has ended, a moment after it began.
  await expect.poll(() => log.info.mock.calls).toContainEqual(['jobs run again'])
})

test('the row of what is done once for all is no job', async () => {
  await addDefaultPrograms(site.app.services)
  expect(await rowOf('first programs')).toMatchObject({ leasedUntil: null, endedAt: null, failures: 0 })
  expect(await addDefaultPrograms(site.app.services)).toBe(0)
})
