import type { PageContextClient } from 'vike/types'
import { pageTransition } from '#src/lib/slowNavigation.ts'
import { installDataFallback } from './fallbackData.ts'
import { keepScrollPosition } from './keepScrollPosition.ts'
import { prefetchLinks } from './prefetchLinks.ts'

export default async function prepare({ isHydration, site, formUrl }: PageContextClient): Promise<void> {
  if (!isHydration) return pageTransition.start?.()
  installDataFallback(site)
  keepScrollPosition()
  // In development, the router's own listeners are there.
  if (import.meta.env.PROD) prefetchLinks()
  // The form was sent before scripts loaded, so this is the URL of a call. It has no page to go back to.
  if (formUrl) history.replaceState(history.state, '', formUrl)
  // An update removes the old version's files. The router reloads the page only if a script is missing, so errors about
  // stylesheets are ignored: the import of the script fails next.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
  // Lets the browser handle input between the start of the modules and the hydration.
  await new Promise((resolve) => setTimeout(resolve))
}
