import { pageTransition } from '#src/lib/slowNavigation.ts'

/** Limits how long the old page stays on the screen if the new one cannot be rendered. */
const MAX_RENDER_MS = 1000

/** Lets pages cross-fade. The player has its own layer, so it keeps moving meanwhile. */
export function startCrossFades() {
  if (!('startViewTransition' in document)) return
  pageTransition.start = () => {
    if (document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) return Promise.resolve()
    const rendered = new Promise<void>((resolve) => {
      pageTransition.end = resolve
      setTimeout(resolve, MAX_RENDER_MS)
    })
    // Resolves when the browser has captured the current page.
    return new Promise((resolve) => {
      const { ready, finished } = document.startViewTransition(() => {
        resolve()
        return rendered
      })
      // A later transition, or a hidden tab, skips this one.
      for (const state of [ready, finished]) state.catch(() => {})
    })
  }
}
