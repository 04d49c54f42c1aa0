import { HeldPage } from './bar/HeldPage.tsx'
import { followDocumentTitle } from './companions/documentTitle.ts'
import { holdPages } from './companions/holdPages.ts'
import { keepPlaces } from './companions/keepPlaces.ts'
import { followKeys } from './companions/keys.ts'
import { followMediaSession } from './companions/mediaSession.ts'
import { askNowPlaying, followNowPlaying } from './companions/nowPlaying.ts'
import { holdOfflineLinks } from './companions/offlineLinks.ts'
import { followSleep } from './companions/sleep.ts'
import { followTabs } from './companions/tabs.ts'
import { watchSound } from './companions/watch.ts'
import { refreshStations } from './sound/stations.ts'

/** A page that is left at once opens no event connection. */
const FOLLOW_AFTER_MS = 3000

let started = false

export { HeldPage }

/** Starts everything the first sound does not wait for; called once the page has nothing better to do. */
export function startCompanions() {
  if (started) return
  started = true
  watchSound()
  keepPlaces()
  followTabs()
  followKeys()
  followMediaSession()
  followDocumentTitle()
  followSleep()
  holdPages()
  holdOfflineLinks()
  // one request for both
  void refreshStations()
  void askNowPlaying()
  setTimeout(followNowPlaying, FOLLOW_AFTER_MS)
}
