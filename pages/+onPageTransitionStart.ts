import type { PageContextClient } from 'vike/types'
import { startNavigation } from '#src/lib/slowNavigation.ts'
import { deferUntilOnline } from '#src/player/offlineNavigation.ts'
import { uncoverPage } from '#src/player/store.ts'

/** Runs before the browser loads the next page's code and data. */
export default async function onPageTransitionStart(pageContext: PageContextClient): Promise<void> {
  const { urlOriginal, isHistoryNavigation } = pageContext
  // This import is slow only if the page was reloaded with an open overlay; otherwise the module is already loaded.
  if (history.state?.layer && !isHistoryNavigation) await (await import('#src/ui/overlayHistory.ts')).closeOverlays()
  if (!navigator.onLine) await deferUntilOnline(urlOriginal)
  startNavigation()
  uncoverPage()
}
