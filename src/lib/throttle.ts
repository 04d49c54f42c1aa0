type ThrottleOptions = {
  /** delay from the first request to the run, in ms */
  delayMs: () => number
  /** minimum time between a run's end and the next run, in ms */
  intervalMs: number
}

/** The random delay spreads the requests, because all open pages get an event at the same time. */
export const REFETCH_THROTTLE: ThrottleOptions = { delayMs: () => 500 + Math.random() * 1000, intervalMs: 4000 }

/** Each waits twice as long as the one before. */
const MAX_RETRIES = 4

/** Creates a throttle. A request during a run causes another run, as does a failure, up to MAX_RETRIES times. */
export function createThrottle(run: () => Promise<unknown>, { delayMs, intervalMs }: ThrottleOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isRequestedAgain = false
  let isStopped = false
  let failures = 0
  let notBefore = 0

  function request(): void {
    if (isRunning) isRequestedAgain = true
    else timer ??= setTimeout(start, Math.max(delayMs(), notBefore - performance.now()))
  }

  async function start(): Promise<void> {
    timer = undefined
    isRunning = true
    isRequestedAgain = false
    failures = await run().then(
      () => 0,
      () => failures + 1,
    )
    isRunning = false
    notBefore = performance.now() + intervalMs * 2 ** Math.min(failures, MAX_RETRIES)
    const isRetried = failures > 0 && failures <= MAX_RETRIES
    if (!isStopped && (isRequestedAgain || isRetried)) request()
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    isStopped = true
  }

  return { request, stop }
}
