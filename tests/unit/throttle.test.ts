import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from '#src/lib/throttle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const PACE = { soonMs: () => 500, everyMs: 4000 }

test('runs under steady asking, and once more after the last time', async () => {
  const run = vi.fn(async () => {})
  const { ask } = createThrottle(run, PACE)
  for (let at = 0; at < 100; at++) {
    ask()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(run).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(4)
})

test('runs soon after a quiet time', async () => {
  const run = vi.fn(async () => {})
  const { ask } = createThrottle(run, PACE)
  ask()
  await vi.advanceTimersByTimeAsync(10_000)
  ask()
  await vi.advanceTimersByTimeAsync(499)
  expect(run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(2)
})

test('runs again for what is asked during a run, never twice at once, and goes on after a failure', async () => {
  let end = () => {}
  const run = vi.fn(() => new Promise<void>((_, reject) => (end = () => reject(new Error('offline')))))
  const { ask } = createThrottle(run, PACE)
  ask()
  await vi.advanceTimersByTimeAsync(500)
  ask()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(1)
  end()
  await vi.advanceTimersByTimeAsync(4000)
  expect(run).toHaveBeenCalledTimes(2)
})

test('does not run once it is stopped', async () => {
  const run = vi.fn(async () => {})
  const { ask, stop } = createThrottle(run, PACE)
  ask()
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).not.toHaveBeenCalled()
})
