import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from '#src/lib/throttle.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const OPTIONS = { delayMs: () => 500, intervalMs: 4000 }

test('runs at intervals under steady requests, and once more after the last one', async () => {
  const run = vi.fn(async () => {})
  const { request } = createThrottle(run, OPTIONS)
  for (let at = 0; at < 100; at++) {
    request()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(run).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(4)
})

test('runs soon after a quiet time', async () => {
  const run = vi.fn(async () => {})
  const { request } = createThrottle(run, OPTIONS)
  request()
  await vi.advanceTimersByTimeAsync(10_000)
  request()
  await vi.advanceTimersByTimeAsync(499)
  expect(run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(2)
})

test('runs again after a request during a run, never twice at once', async () => {
  const result = createDeferred()
  const run = vi.fn(() => result.promise)
  const { request } = createThrottle(run, OPTIONS)
  request()
  await vi.advanceTimersByTimeAsync(500)
  request()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(1)
  result.resolve()
  await vi.advanceTimersByTimeAsync(4000)
  expect(run).toHaveBeenCalledTimes(2)
})

test('runs again after a failure, later each time, until it gives up', async () => {
  const run = vi.fn(async () => {
    throw new Error('offline')
  })
  const { request } = createThrottle(run, OPTIONS)
  request()
  await vi.advanceTimersByTimeAsync(500)
  for (const [runs, waited] of [8000, 16_000, 32_000, 64_000].entries()) {
    await vi.advanceTimersByTimeAsync(waited - 1)
    expect(run).toHaveBeenCalledTimes(runs + 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(runs + 2)
  }
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(run).toHaveBeenCalledTimes(5)
  run.mockResolvedValueOnce(undefined as never)
  request()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(run).toHaveBeenCalledTimes(6)
})

test('does not run again when a run fails after it was stopped', async () => {
  const result = createDeferred()
  const run = vi.fn(() => result.promise)
  const { request, stop } = createThrottle(run, OPTIONS)
  request()
  await vi.advanceTimersByTimeAsync(500)
  stop()
  result.reject(new Error('offline'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('does not run after it is stopped', async () => {
  const run = vi.fn(async () => {})
  const { request, stop } = createThrottle(run, OPTIONS)
  request()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).not.toHaveBeenCalled()
})
