import { createStore } from './store.ts'

/** The progress bar appears only if a navigation takes longer. */
const DELAY_MS = 150

export const slowNavigation = createStore(false)
let timer: ReturnType<typeof setTimeout> | undefined

export function startNavigation() {
  clearTimeout(timer)
  timer = setTimeout(slowNavigation.set, DELAY_MS, true)
}

export function endNavigation() {
  clearTimeout(timer)
  slowNavigation.set(false)
}
