import { getAudioElement } from '#src/player/audio/audioElement.ts'
import { finishRecording, loadAndPlay, toggleCors } from '#src/player/engine.ts'
import { getPlayer, setPlayer, subscribePlayer } from '#src/player/store.ts'
import { backoffMs } from './backoff.ts'

const LOOK_MS = 3000
/** Silence after which a stream counts as lost; before the first audio it may take longer. */
const LOST_MS = 6000
const LATE_MS = 10_000
/** Silence after which the bar shows "Reconnecting". */
const SILENT_MS = 1000
/** A longer gap between checks means that the device slept, so buffered audio is no longer live. */
const ASLEEP_MS = 20_000
/** Playback for this long resets the backoff. */
const STEADY_MS = 10_000
/** A recording that ends this close to its duration is complete. */
const END_SECONDS = 5

let looking: ReturnType<typeof setInterval> | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let silent: ReturnType<typeof setTimeout> | undefined
let attempt = 0
/** The element's last position, and when it changed (ms). */
let time = -1
let movedAt = 0
let lookedAt = 0
let lookedTime = 0
let heardSince = 0
/** Of a recording: its initial duration, and where it last ended. */
let length = 0
let endedAt = -1

const isWanted = () => getPlayer().status !== 'paused'

/**
 * Reloads a source that stops. A dead stream may end, fail, or send no event at all, so the watchdog checks whether the
 * position advances.
 */
export function startStallWatchdog() {
  let watched: HTMLAudioElement | null = null
  let { status, source } = getPlayer()

  function follow() {
    const before = { status, source }
    status = getPlayer().status
    source = getPlayer().source
    const element = getAudioElement()
    if (element && element !== watched) {
      watched = element
      listen(element)
    }
    if (source !== before.source) endedAt = -1
    if (status === 'playing' && before.status !== 'playing') heardSince = Date.now()
    if (!isWanted()) rest()
    else if (looking === undefined || source !== before.source) begin()
  }
  subscribePlayer(follow)
  follow()

  const comeBack = () => !document.hidden && hurry()
  window.addEventListener('online', () => {
    setPlayer({ offline: false })
    hurry()
  })
  window.addEventListener('offline', () => setPlayer({ offline: true }))
  window.addEventListener('pageshow', comeBack)
  document.addEventListener('visibilitychange', comeBack)
  setPlayer({ offline: !navigator.onLine })
}

function listen(element: HTMLAudioElement) {
  element.addEventListener('error', () => {
    // some browsers also report an error when the source is removed
    if (!isWanted() || !element.src) return
    const isForeign = new URL(element.src).origin !== location.origin
    const wasLookedInto = element.crossOrigin !== null
    if (isForeign) toggleCors()
    if (isForeign && wasLookedInto) again()
    else lose()
  })
  element.addEventListener('ended', () => isWanted() && end(element))
  element.addEventListener('loadedmetadata', () => {
    length = Number.isFinite(element.duration) ? element.duration : 0
  })
  element.addEventListener('waiting', () => {
    clearTimeout(silent)
    silent = setTimeout(() => element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && admit(), SILENT_MS)
  })
  element.addEventListener('timeupdate', () => {
    if (element.currentTime === time) return
    time = element.currentTime
    movedAt = Date.now()
  })
}

/** Finishes a complete recording; retries a truncated one, unless it ends at the same position again. */
function end(element: HTMLAudioElement) {
  const at = element.currentTime
  const isOver = at >= length - END_SECONDS || Math.abs(at - endedAt) < 1
  if (getPlayer().source.kind === 'recording' && at > 0 && isOver) return finishRecording()
  endedAt = at
  lose()
}

function begin() {
  rest()
  attempt = 0
  movedAt = lookedAt = Date.now()
  looking = setInterval(look, LOOK_MS)
  if (getAudioElement()?.error) lose()
}

function rest() {
  clearInterval(looking)
  looking = undefined
  clearTimeout(retry)
  retry = undefined
  clearTimeout(silent)
}

function look() {
  const now = Date.now()
  const gap = now - lookedAt
  const played = 1000 * (time - lookedTime)
  lookedAt = now
  lookedTime = time
  if (retry !== undefined) return
  const { status, source } = getPlayer()
  if (gap > ASLEEP_MS && played < gap / 2 && source.kind === 'live') return again()
  const quiet = now - movedAt
  if (quiet > (status === 'starting' ? LATE_MS : LOST_MS)) lose()
  else if (quiet > LOOK_MS) admit()
}

function admit() {
  if (getPlayer().status === 'playing') setPlayer({ status: 'reconnecting' })
}

/** Schedules a reload with backoff. */
function lose() {
  if (retry !== undefined) return
  if (movedAt - heardSince > STEADY_MS) attempt = 0
  heardSince = Number.POSITIVE_INFINITY
  admit()
  retry = setTimeout(again, backoffMs(attempt))
  attempt += 1
}

function again() {
  clearTimeout(retry)
  retry = undefined
  if (!isWanted()) return
  admit()
  movedAt = lookedAt = Date.now()
  loadAndPlay()
}

/** Retries at once, after the network or the page came back. */
function hurry() {
  const isSilent = retry !== undefined || Date.now() - movedAt > LOOK_MS
  if (!isWanted() || getPlayer().status === 'playing' || !isSilent) return
  attempt = 0
  again()
}
