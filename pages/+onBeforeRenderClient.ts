import type { PageContextClient } from 'vike/types'
import { fetchParts } from '#src/ui/later.tsx'

// After a new version was put up, styles are gone together with the script they belong to: of a script the router knows
// that the page has to be loaded, of styles it does not.
window.addEventListener('vite:preloadError', (event) => {
  if (event.payload.message.includes('CSS')) event.preventDefault()
})

/** The first page comes alive as it is; the next one takes its place whole. */
export default async ({ isHydration }: PageContextClient) => {
  if (!isHydration) await fetchParts()
}
