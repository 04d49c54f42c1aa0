import type { PageContextClient } from 'vike/types'
import { installDataFallback } from './fallbackData.ts'

export default function prepare({ isHydration, site }: PageContextClient): void {
  if (!isHydration) return
  installDataFallback(site)
  // A deploy removes the previous version's files. The router reloads the page for a missing script, but not for a
  // missing stylesheet.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
}
