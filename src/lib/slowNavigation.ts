import { createStore } from './store.ts'

/** The progress bar appears only if a navigation takes longer. */
const DELAY_MS = 150

export const slowNavigation = createStore(false)
/** set from the start to the end of a navigation */
let timer: ReturnType<typeof setTimeout> | undefined

export const isNavigating = () => timer !== undefined

export function startNavigation() {
  clearTimeout(timer)
  timer = setTimeout(slowNavigation.set, DELAY_MS, true)
}

export function endNavigation() {
  clearTimeout(timer)
  timer = undefined
  slowNavigation.set(false)
}

/** Callbacks before and after the next page is rendered, set by code that loads when the page is idle. */
export const pageTransition: { start?: () => Promise<void>; end?: () => void } = {}
