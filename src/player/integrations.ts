import { decorateTitle } from '#src/lib/documentTitle.ts'
import { pageTransition } from '#src/lib/slowNavigation.ts'
import { BlockedPageAlert, guardOfflineLinks, guardPageReloads } from '#src/player/integrations/blockedPages.tsx'
import { listenForShortcuts } from '#src/player/integrations/keyboardShortcuts.ts'
import { syncMediaSession } from '#src/player/integrations/mediaSession.ts'
import { fetchNowPlaying, subscribeNowPlaying } from '#src/player/integrations/nowPlaying.ts'
import { startStallWatchdog } from '#src/player/integrations/stallWatchdog.ts'
import { pause, savePosition } from './engine.ts'
import { getPlayer, refreshStations, setPlayer, watchPlayer } from './store.ts'
import { getTrackDisplay } from './trackDisplay.ts'

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

/** Some browsers refuse workers, for example in private windows. The development server does not build the worker. */
function registerServiceWorker(): void {
  if (import.meta.env.PROD) void navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
}

/** Saves the position regularly, because a browser can close without a pagehide event. */
function saveResumePositions() {
  setInterval(() => getPlayer().status === 'playing' && savePosition(), SAVE_INTERVAL_MS)
  window.addEventListener('pagehide', savePosition)
}

function pauseOtherTabs() {
  if (!('BroadcastChannel' in window)) return
  const channel = new BroadcastChannel('player')
  channel.addEventListener('message', () => {
    if (getPlayer().status !== 'paused') pause()
  })
  watchPlayer(({ status }, previous) => {
    if (previous.status === 'paused' && status !== 'paused') channel.postMessage('playing')
  })
}

/** Limits the song text, to leave room for the page's title. */
const MAX_SONG_LENGTH = 80

function syncDocumentTitle() {
  watchPlayer(() => {
    const state = getPlayer()
    const { title, artist, isKnown } = getTrackDisplay(state)
    // Normalises white space like the browser, so that the result can be compared with document.title.
    const fullSong = [title, artist].filter(Boolean).join(' – ').replace(/\s+/g, ' ').trim()
    const song = [...fullSong].slice(0, MAX_SONG_LENGTH).join('')
    const isShown = state.status === 'playing' && isKnown
    decorateTitle('song', (pageTitle) => (isShown ? `♪ ${song} · ${pageTitle}` : pageTitle))
  })
}

/** The timer outlives pauses, which another tab or the system can cause. It ends at its time, or when it is cancelled. */
function startSleepTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined
  watchPlayer(({ sleepAt, status }, previous) => {
    // A timeout stops while the device sleeps. Playback that starts after the deadline must not end at once.
    const isOver = sleepAt !== null && sleepAt <= Date.now() && previous.status === 'paused' && status !== 'paused'
    if (isOver) setPlayer({ sleepAt: null })
    else if (sleepAt !== previous.sleepAt) {
      clearTimeout(timer)
      if (sleepAt !== null) timer = setTimeout(sleep, Math.max(0, sleepAt - Date.now()))
    }
  })
}

function sleep() {
  pause()
  setPlayer({ sleepAt: null })
}

/** Limits how long the old page stays on the screen if the new one cannot be rendered. */
const MAX_RENDER_MS = 1000

/** Lets pages cross-fade. The player has its own layer, so it keeps moving meanwhile. */
function startCrossFades() {
  if (!('startViewTransition' in document)) return
  pageTransition.start = () => {
    if (document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) return Promise.resolve()
    const rendered = new Promise<void>((resolve) => {
      pageTransition.end = resolve
      setTimeout(resolve, MAX_RENDER_MS)
    })
    // Resolves when the browser has captured the current page.
    return new Promise((resolve) => {
      const { ready, finished } = document.startViewTransition(() => {
        resolve()
        return rendered
      })
      // A later transition, or a hidden tab, skips this one.
      for (const state of [ready, finished]) state.catch(() => {})
    })
  }
}
