/** Limits the wait for an idle page. After this time, the callback runs anyway. */
const MAX_WAIT_MS = 2000

/** Runs a callback when the page is loaded and idle. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  let handle: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    if ('requestIdleCallback' in window) handle = requestIdleCallback(run, { timeout: MAX_WAIT_MS })
    else timer = setTimeout(run, MAX_WAIT_MS / 4)
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
  return () => {
    window.removeEventListener('load', wait)
    if (handle !== undefined) cancelIdleCallback(handle)
    clearTimeout(timer)
  }
}
