/** Faster navigations show no progress. */
const DELAY_MS = 150

let isSlow = false
let timer: ReturnType<typeof setTimeout> | undefined
let listener = () => {}

export const isNavigationSlow = () => isSlow

/** Supports a single subscriber. */
export function subscribeNavigation(onChange: () => void): () => void {
  listener = onChange
  return () => {
    listener = () => {}
  }
}

function set(next: boolean) {
  isSlow = next
  listener()
}

export function startNavigation() {
  clearTimeout(timer)
  timer = setTimeout(set, DELAY_MS, true)
}

export function endNavigation() {
  clearTimeout(timer)
  set(false)
}
