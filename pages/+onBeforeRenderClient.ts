import type { PageContextClient } from 'vike/types'
import { replaceFailedData } from './failedData.ts'

export default function prepare({ isHydration, site }: PageContextClient): void {
  if (!isHydration) return
  replaceFailedData(site)
  // After a deploy the chunks of the old version are gone, and their styles with them. The router knows that the page
  // has to be loaded when a script is missing, but not when a stylesheet is.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
}
