import { useEffect } from 'react'

/** A page that never comes to rest is not waited for longer. */
const AT_LATEST_MS = 2000

/** Does something of no hurry once, when the page has loaded and has nothing better to do. */
export function useWhenIdle(act: () => Promise<unknown>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is done once
  useEffect(() => {
    // what is missing after a new version was put up comes with the next page load
    const run = () => void act().catch(() => {})
    const wait = () => {
      if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: AT_LATEST_MS })
      else setTimeout(run, AT_LATEST_MS / 4)
    }
    if (document.readyState === 'complete') return wait()
    window.addEventListener('load', wait, { once: true })
    return () => window.removeEventListener('load', wait)
  }, [])
}
