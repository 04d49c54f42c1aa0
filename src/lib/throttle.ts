import { useEffect, useEffectEvent, useRef } from 'react'

type Pace = {
  /** ms from the first time it is asked for to the run; other pages run at other moments */
  soonMs: () => number
  /** ms between the end of a run and the next one */
  everyMs: number
}

/** A run that somebody asks for may come soon, but not all pages run at the same moment. */
export const REREAD_PACE: Pace = { soonMs: () => 500 + Math.random() * 1000, everyMs: 4000 }

/**
 * Creates a throttle with a trailing edge: work that is asked for again and again runs once in a while, and always
 * after it was last asked for.
 */
export function createThrottle(run: () => Promise<unknown>, { soonMs, everyMs }: Pace) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isAskedAgain = false
  let notBefore = 0

  function ask(): void {
    if (isRunning) isAskedAgain = true
    else timer ??= setTimeout(start, Math.max(soonMs(), notBefore - performance.now()))
  }

  async function start(): Promise<void> {
    timer = undefined
    isRunning = true
    isAskedAgain = false
    await run().catch(() => {})
    isRunning = false
    notBefore = performance.now() + everyMs
    if (isAskedAgain) ask()
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    isAskedAgain = false
  }

  return { ask, stop }
}

/** Returns what asks for a throttled run, as long as the component is mounted. */
export function useThrottled(run: () => Promise<unknown>, pace = REREAD_PACE): () => void {
  const latest = useEffectEvent(run)
  const throttle = useRef<ReturnType<typeof createThrottle>>(undefined)
  useEffect(() => {
    const created = createThrottle(() => latest(), pace)
    throttle.current = created
    return created.stop
  }, [pace])
  return () => throttle.current?.ask()
}
