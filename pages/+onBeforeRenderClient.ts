import type { PageContextClient } from 'vike/types'
import { installDataFallback } from './fallbackData.ts'

export default function prepare({ isHydration, site }: PageContextClient): void {
  if (!isHydration) return
  installDataFallback(site)
  // A new version removes the old version's files. Ignores missing stylesheets, because the router reloads the page
  // only for a missing script. The page's script is missing too.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
}
