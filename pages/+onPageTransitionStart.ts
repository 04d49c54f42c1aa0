import type { PageContextClient } from 'vike/types'
import { startNavigation } from '#src/lib/navigation.ts'
import { deferUntilOnline } from '#src/player/offlineNavigation.ts'

/** Runs before the next page's code and data are fetched. */
export default async function onPageTransitionStart(pageContext: PageContextClient): Promise<void> {
  const { urlOriginal, isHistoryNavigation } = pageContext
  // loaded already, unless the page was loaded with a layer's entry
  if (history.state?.layer && !isHistoryNavigation) await (await import('#src/ui/layers.ts')).leaveLayers()
  if (!navigator.onLine) await deferUntilOnline(urlOriginal)
  startNavigation()
}
