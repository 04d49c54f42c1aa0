import { getAudioElement } from '#src/player/audio/audioGraph.ts'
import { finishRecording, loadAndPlay, toggleRelay } from '#src/player/engine.ts'
import { getPlayer, setPlayer, watchPlayer } from '#src/player/store.ts'

const CHECK_MS = 1000
/** Silence after which the bar shows "Reconnecting". */
const SILENT_MS = 2000
/** Silence after which a stream counts as lost. Starting a stream may take longer. */
const STALLED_MS = 6000
const START_TIMEOUT_MS = 10_000
/** A longer gap between checks means that the device slept. Buffered audio is then no longer live. */
const ASLEEP_MS = 20_000
/** Playback time that resets the backoff. */
const STEADY_MS = 10_000
/** A recording counts as complete if it ends at most this many seconds early. */
const END_SECONDS = 5

let checkTimer: ReturnType<typeof setInterval> | undefined
let attempt = 0
/** loads the stream again; undefined while it plays or loads */
let retryTimer: ReturnType<typeof setTimeout> | undefined
/** Position of the audio element at the last check (seconds), and when it last changed (ms). */
let lastTime = -1
let movedAt = 0
let checkedAt = 0
let playingSince = 0
/** Recordings only: duration when loaded, and the position where playback last ended. */
let initialDuration = 0
let endedAt = -1

const shouldPlay = () => getPlayer().status !== 'paused'

/** Reloads stalled streams. Checks whether the position advances, because a dead stream may not fire any event. */
export function startStallWatchdog() {
  const element = getAudioElement()
  element.addEventListener('error', () => {
    // Some browsers report an error when the player removes the source.
    if (!shouldPlay() || !element.src) return
    if (toggleRelay(element)) reload()
    else scheduleRetry()
  })
  element.addEventListener('ended', () => shouldPlay() && handleEnd(element))
  element.addEventListener('loadedmetadata', () => {
    initialDuration = Number.isFinite(element.duration) ? element.duration : 0
  })
  watchPlayer(({ status, recording, stationId }, previous) => {
    const isChosen = recording !== previous.recording || stationId !== previous.stationId
    const isStarted = status === 'starting' && previous.status !== status
    if (recording !== previous.recording) endedAt = -1
    if (status === 'playing' && previous.status !== 'playing') playingSince = Date.now()
    if (status === 'paused') stopChecking()
    else if (checkTimer === undefined || isStarted || isChosen) startChecking(element)
  })
  // It failed before this code was loaded. Later starts load the stream again, so an error is that of an earlier load.
  if (shouldPlay() && element.error) scheduleRetry()

  const onPageVisible = () => !document.hidden && reloadIfSilent()
  window.addEventListener('online', () => {
    setPlayer({ offline: false })
    reloadIfSilent()
  })
  window.addEventListener('offline', () => setPlayer({ offline: true }))
  window.addEventListener('pageshow', onPageVisible)
  document.addEventListener('visibilitychange', onPageVisible)
  setPlayer({ offline: !navigator.onLine })
}

/** Finishes a complete recording. Retries a truncated recording, unless it ends at the same position again. */
function handleEnd(element: HTMLAudioElement) {
  const at = element.currentTime
  const isComplete = at >= initialDuration - END_SECONDS || Math.abs(at - endedAt) < 1
  if (getPlayer().recording && at > 0 && isComplete) return finishRecording()
  endedAt = at
  scheduleRetry()
}

function startChecking(element: HTMLAudioElement) {
  stopChecking()
  attempt = 0
  movedAt = checkedAt = Date.now()
  checkTimer = setInterval(check, CHECK_MS, element)
}

function stopChecking() {
  clearInterval(checkTimer)
  checkTimer = undefined
  stopRetrying()
}

function check({ currentTime }: HTMLAudioElement) {
  const now = Date.now()
  const gap = now - checkedAt
  const played = 1000 * (currentTime - lastTime)
  checkedAt = now
  lastTime = currentTime
  // A clock that was set back would make the silence last until it is as late again.
  if (played !== 0 || gap < 0) movedAt = now
  if (retryTimer !== undefined) return
  const { status, recording } = getPlayer()
  if (gap > ASLEEP_MS && played < gap / 2 && !recording) return reload()
  const quiet = now - movedAt
  if (quiet > (status === 'starting' ? START_TIMEOUT_MS : STALLED_MS)) scheduleRetry()
  else if (quiet > SILENT_MS) showReconnecting()
}

function showReconnecting() {
  if (getPlayer().status === 'playing') setPlayer({ status: 'reconnecting' })
}

function scheduleRetry() {
  if (retryTimer !== undefined) return
  if (movedAt - playingSince > STEADY_MS) attempt = 0
  playingSince = Number.POSITIVE_INFINITY
  showReconnecting()
  // Not at the next check: listeners would hear up to a second of silence more.
  retryTimer = setTimeout(reload, backoffMs(attempt))
  attempt += 1
}

function stopRetrying() {
  clearTimeout(retryTimer)
  retryTimer = undefined
}

function reload() {
  stopRetrying()
  if (!shouldPlay()) return
  showReconnecting()
  movedAt = checkedAt = Date.now()
  loadAndPlay()
}

function reloadIfSilent() {
  const isSilent = retryTimer !== undefined || Date.now() - movedAt > SILENT_MS
  if (!shouldPlay() || getPlayer().status === 'playing' || !isSilent) return
  attempt = 0
  reload()
}

/** The server ends a stream when its format changes, and a new one plays at once. */
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/** Returns the delay before a retry. Jitter spreads the retries of clients that lost the stream at the same time. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const wait = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
  return wait * (0.5 + random() * 0.5)
}
