import { followDocumentTitle } from './documentTitle.ts'
import { holdPages } from './holdPages.ts'
import { keepPlaces } from './keepPlaces.ts'
import { followKeys } from './keys.ts'
import { followMediaSession } from './mediaSession.ts'
import { askNowPlaying, followNowPlaying } from './nowPlaying.ts'
import { followSleep } from './sleep.ts'
import { refreshStations } from './stations.ts'
import { followTabs } from './tabs.ts'
import { watchSound } from './watch.ts'

/** A page that is left at once opens no event connection. */
const FOLLOW_AFTER_MS = 3000

let started = false

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
  // one request for both
  void refreshStations()
  void askNowPlaying()
  setTimeout(followNowPlaying, FOLLOW_AFTER_MS)
}
