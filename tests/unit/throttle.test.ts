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

test('runs again after a request during a run, never twice at once, also after a failure', async () => {
  const result = createDeferred()
  const run = vi.fn(() => result.promise)
  const { request } = createThrottle(run, OPTIONS)
  request()
  await vi.advanceTimersByTimeAsync(500)
  request()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(1)
  result.reject(new Error('offline'))
  await vi.advanceTimersByTimeAsync(4000)
  expect(run).toHaveBeenCalledTimes(2)
})

test('does not run after it is stopped', async () => {
  const run = vi.fn(async () => {})
  const { request, stop } = createThrottle(run, OPTIONS)
  request()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).not.toHaveBeenCalled()
})
