import type { PageContextClient } from 'vike/types'
import { startNavigation } from '#src/lib/navigation.ts'
import { holdOffline } from '#src/player/holdOffline.ts'

/** Runs before the next page's code and data are fetched. */
export default async function onPageTransitionStart({ urlOriginal }: PageContextClient): Promise<void> {
  if (!navigator.onLine) await holdOffline(urlOriginal)
  startNavigation()
}
