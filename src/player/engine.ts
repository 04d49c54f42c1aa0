import { downloadPath } from '#src/contract/archive.ts'
import { streamPath } from '#src/contract/radio.ts'
import { t } from '#src/i18n/t.ts'
import {
  type AudioGraph,
  applyVolume,
  ensureGraph,
  getAudioElement,
  getGraph,
  isAppleMobile,
} from './audio/audioGraph.ts'
import { getResumePosition, recordingKey, storeResumePosition } from './audio/resumePositions.ts'
import { getPlayer, type Recording, refreshStations, setPlayer } from './store.ts'

/** Playback counts as started after this many seconds of audio. */
const MIN_PLAYED_SECONDS = 0.05
/**
 * A paused stream stays loaded for this time: browsers pass the keys of headphones and lock screens on only to a player
 * that has a source.
 */
const UNLOAD_MS = 60_000

/** Current or requested position of the recording, in seconds. */
let position = 0
/** Time of the audio element (s) after the last load or seek. A later time means that playback has started. */
let silentUntil = 0
/** Whether the relay serves a station with a direct stream, which has failed. */
let usesRelay = false
let hasElementListeners = false
let unloadTimer: ReturnType<typeof setTimeout> | undefined

/** Starts the radio at its live edge. Must run in a click handler, or browsers block autoplay. */
export function playLive(stationId: number = getPlayer().stationId): void {
  start(null, stationId)
  void refreshStations().then(reloadChangedStream)
}

/** @param at where to start in seconds; without it, the recording goes on where the visitor left it */
export function playRecording(recording: Recording, at?: number): void {
  const { recording: current, status, stationId } = getPlayer()
  if (current && recordingKey(current) === recordingKey(recording)) {
    if (at !== undefined) seek(at)
    if (status === 'paused') resume()
  } else {
    start(recording, stationId, at)
  }
}

export function resume(): void {
  const { recording, stationId } = getPlayer()
  const element = getAudioElement()
  if (!recording) playLive(stationId)
  else if (!element.src || element.error || element.ended) start(recording, stationId)
  else {
    setPlayer({ status: 'starting' })
    playElement(element)
  }
}

/** Pauses playback, and unloads a live stream later. Resuming loads it again, to start at the live edge. */
export function pause(): void {
  savePosition()
  setPlayer({ status: 'paused' })
  const element = getAudioElement()
  element.pause()
  clearTimeout(unloadTimer)
  if (!getPlayer().recording) unloadTimer = setTimeout(unload, UNLOAD_MS, element)
  void getGraph()?.context.suspend()
}

function unload(element: HTMLAudioElement) {
  element.removeAttribute('src')
  element.load()
}

export function toggle(): void {
  if (getPlayer().status === 'paused') resume()
  else pause()
}

export function seek(seconds: number): void {
  const { recording } = getPlayer()
  if (!recording) return
  position = Math.max(0, Math.min(seconds, getDuration(recording)))
  const element = getAudioElement()
  if (element.src && element.readyState > 0) element.currentTime = position
  savePosition()
}

export const skip = (seconds: number): void => seek(recordingPosition().position + seconds)

export function chooseStation(stationId: number): void {
  const { status, recording } = getPlayer()
  setPlayer({ stationId, nowPlaying: null })
  if (!recording && status !== 'paused') start(null, stationId)
}

/** Returns the graph. Creates it if it is missing, even on iOS. @throws Error if there is no sound to analyse */
export function ensureAnalysableGraph(): AudioGraph {
  const element = getAudioElement()
  if (getPlayer().status === 'paused' || !element.src) throw new Error(t('player.noAudio'))
  if (!getGraph() && !connectGraph(element)) throw new Error(t('player.noAudio'))
  return getGraph() as AudioGraph
}

export function recordingPosition(): { position: number; duration: number } {
  const { recording } = getPlayer()
  return recording ? { position, duration: getDuration(recording) } : { position: 0, duration: 0 }
}

export function loadAndPlay(): void {
  const element = getAudioElement()
  addElementListeners(element)
  clearTimeout(unloadTimer)
  silentUntil = 0
  element.src = getSourceUrl()
  if (!isAppleMobile()) connectGraph(element)
  playElement(element)
}

/**
 * Uses the relay for the next load if a direct stream failed to load, and otherwise the direct stream.
 * @returns whether the caller can retry at once
 */
export function toggleRelay(element: HTMLAudioElement): boolean {
  usesRelay = new URL(element.src).origin !== location.origin
  return usesRelay
}

export function finishRecording(): void {
  position = 0
  savePosition()
  pause()
}

function start(recording: Recording | null, stationId: number, at?: number) {
  savePosition()
  position = at ?? (recording ? getResumePosition(recording) : 0)
  setPlayer({ recording, stationId, status: 'starting' })
  loadAndPlay()
}

function getSourceUrl(): string {
  const { recording, stationId, stations } = getPlayer()
  if (recording) {
    const { stationId: of, streamerId, broadcastId } = recording
    return new URL(downloadPath(of, streamerId, broadcastId), location.href).href
  }
  const station = stations.find(({ id }) => id === stationId)
  // Adds the page's origin to the relay's path, because a site can have several origins.
  const path = station?.direct && !usesRelay ? station.listen_url : streamPath(stationId)
  return new URL(path, location.href).href
}

function reloadChangedStream() {
  const { recording, status } = getPlayer()
  if (status === 'paused' || recording) return
  if (getAudioElement().src !== getSourceUrl()) loadAndPlay()
}

function playElement(element: HTMLAudioElement) {
  applyVolume()
  resumeGraph()
  // Pauses if the browser blocks autoplay. The stall watchdog handles other errors.
  element.play().catch((error: DOMException) => {
    if (error.name === 'NotAllowedError') pause()
  })
}

const resumeGraph = () =>
  getGraph()
    ?.context.resume()
    .catch(() => {})

function connectGraph(element: HTMLAudioElement): boolean {
  try {
    ensureGraph(element)
    applyVolume()
    return true
  } catch {
    return false
  }
}

function addElementListeners(element: HTMLAudioElement) {
  if (hasElementListeners) return
  hasElementListeners = true
  element.addEventListener('loadedmetadata', () => {
    if (getPlayer().recording && position > 0) element.currentTime = position
    silentUntil = element.currentTime
  })
  element.addEventListener('seeked', () => {
    silentUntil = element.currentTime
  })
  element.addEventListener('timeupdate', () => {
    if (element.paused || element.seeking || element.currentTime < silentUntil + MIN_PLAYED_SECONDS) return
    position = element.currentTime
    if (getPlayer().status === 'playing') return
    resumeGraph()
    setPlayer({ status: 'playing' })
  })
  // `pause()` sets the status to paused first. Any other status means that the browser or the system paused it.
  element.addEventListener('pause', () => {
    if (getPlayer().status !== 'paused' && element.paused && !element.ended && !element.error) pause()
  })
  // The system ends its pause, for example after a call.
  element.addEventListener('play', () => {
    if (getPlayer().status === 'paused' && !element.paused) resume()
  })
}

function getDuration(recording: Recording): number {
  const { duration } = getAudioElement()
  return duration > 0 && Number.isFinite(duration) ? duration : recording.duration
}

export function savePosition(): void {
  const { recording } = getPlayer()
  if (recording) storeResumePosition(recording, position, getDuration(recording))
}
