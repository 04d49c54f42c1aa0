type ThrottleOptions = {
  /** ms from the first request to the run */
  delayMs: () => number
  /** ms between the end of a run and the next one */
  intervalMs: number
}

/** The random delay spreads the requests of all open pages. */
export const REFETCH_THROTTLE: ThrottleOptions = { delayMs: () => 500 + Math.random() * 1000, intervalMs: 4000 }

/** Creates a throttle with a trailing edge: there is always a run after the last request. */
export function createThrottle(run: () => Promise<unknown>, { delayMs, intervalMs }: ThrottleOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isRequestedAgain = false
  let notBefore = 0

  function request(): void {
    if (isRunning) isRequestedAgain = true
    else timer ??= setTimeout(start, Math.max(delayMs(), notBefore - performance.now()))
  }

  async function start(): Promise<void> {
    timer = undefined
    isRunning = true
    isRequestedAgain = false
    await run().catch(() => {})
    isRunning = false
    notBefore = performance.now() + intervalMs
    if (isRequestedAgain) request()
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    isRequestedAgain = false
  }

  return { request, stop }
}
