import { registerServiceWorker } from '#src/lib/serviceWorker.ts'
import { refreshStations } from './audio/stations.ts'
import { BlockedPageAlert } from './bar/BlockedPageAlert.tsx'
import { savePosition } from './engine.ts'
import { startCrossFades } from './integrations/crossFade.ts'
import { syncDocumentTitle } from './integrations/documentTitle.ts'
import { listenForShortcuts } from './integrations/keyboardShortcuts.ts'
import { syncMediaSession } from './integrations/mediaSession.ts'
import { fetchNowPlaying, subscribeNowPlaying } from './integrations/nowPlaying.ts'
import { guardOfflineLinks } from './integrations/offlineLinkGuard.ts'
import { guardPageReloads } from './integrations/pageReloadGuard.ts'
import { pauseOtherTabs } from './integrations/singleTabPlayback.ts'
import { startSleepTimer } from './integrations/sleepTimer.ts'
import { startStallWatchdog } from './integrations/stallWatchdog.ts'
import { getPlayer } from './store.ts'

/** Delays the event connection, so that visitors who leave at once never open one. */
const EVENTS_DELAY_MS = 3000
const SAVE_INTERVAL_MS = 5000

const INTEGRATIONS = [
  startStallWatchdog,
  saveResumePositions,
  pauseOtherTabs,
  listenForShortcuts,
  syncMediaSession,
  syncDocumentTitle,
  startSleepTimer,
  guardPageReloads,
  guardOfflineLinks,
  registerServiceWorker,
  startCrossFades,
  // tRPC batches the calls of these two into one request.
  refreshStations,
  fetchNowPlaying,
  () => setTimeout(subscribeNowPlaying, EVENTS_DELAY_MS),
]

let started = false

// Exported here, so that the bundler puts the alert and the integrations in one file.
export { BlockedPageAlert }

export function startIntegrations() {
  if (started) return
  started = true
  for (const start of INTEGRATIONS) {
    try {
      start()
    } catch (error) {
      // A browser service is missing or blocked. The others work without it.
      console.info(error)
    }
  }
}

/** Saves the position regularly, because a browser can close without a pagehide event. */
function saveResumePositions() {
  setInterval(() => getPlayer().status === 'playing' && savePosition(), SAVE_INTERVAL_MS)
  window.addEventListener('pagehide', savePosition)
}
