import type { PageContextClient } from 'vike/types'

export default function guardStyles({ isHydration }: PageContextClient): void {
  if (!isHydration) return
  // After a deploy the chunks of the old version are gone, and their styles with them. The router knows that the page
  // has to be loaded when a script is missing, but not when a stylesheet is.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
}
