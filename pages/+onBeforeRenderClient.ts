import type { PageContextClient } from 'vike/types'
import { installDataFallback } from './fallbackData.ts'

export default function prepare({ isHydration, site }: PageContextClient): void {
  if (!isHydration) return
  installDataFallback(site)
  // An update removes the old version's files. The router reloads the page only if a script is missing, so errors about
  // stylesheets are ignored: the import of the script fails next.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
}
