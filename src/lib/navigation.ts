/** A faster navigation shows nothing. */
const DELAY_MS = 150

let isSlow = false
let timer: ReturnType<typeof setTimeout> | undefined
let listener = () => {}

/** Whether the next page is on its way for longer than a moment. */
export const isNavigationSlow = () => isSlow

/** Calls back when that changes; for one component. */
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
