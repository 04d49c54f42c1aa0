/** A page that never comes to rest is not waited for longer. */
const AT_LATEST_MS = 2000

/** Runs something of no hurry when the page has loaded and has nothing better to do; returns how to take it back. */
export function whenIdle(run: () => void): () => void {
  let handle: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    if ('requestIdleCallback' in window) handle = requestIdleCallback(run, { timeout: AT_LATEST_MS })
    else timer = setTimeout(run, AT_LATEST_MS / 4)
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
  return () => {
    window.removeEventListener('load', wait)
    if (handle !== undefined) cancelIdleCallback(handle)
    clearTimeout(timer)
  }
}
