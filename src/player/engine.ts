import { downloadPath } from '#src/contract/archive.ts'
import { streamPath, visualiserMessages } from '#src/contract/radio.ts'
import { ensureAudioElement, getAudioElement } from './audio/audioElement.ts'
import { ensureGraph, getGraph, isAppleMobile } from './audio/audioGraph.ts'
import { getResumePosition, storeResumePosition } from './audio/resumePositions.ts'
import { refreshStations } from './audio/stations.ts'
import { applyVolume } from './audio/volume.ts'
import { getPlayer, setPlayer } from './store.ts'
import type { AudioGraph, Recording, Source } from './types.ts'

/** Seconds of sound after which it counts as heard. */
const HEARD_SECONDS = 0.05

/** Where the recording is, or where it is to go on. */
let place = 0
/** Sound beyond this second of the element has been heard. */
let silentUntil = 0
/** Whether a foreign stream is asked for so that it can be looked into; one that refuses is played all the same. */
let withCors = true
let listening = false

/** Starts the radio at its live edge; called from a click. */
export function playLive(stationId: number = getPlayer().stationId): void {
  begin({ kind: 'live' }, stationId)
  void refreshStations().then(followStations)
}

/** Plays a recording in the bar, from where it was left; one that is playing goes on. */
export function playRecording(recording: Recording): void {
  const { source, status } = getPlayer()
  if (source.kind === 'recording' && isSame(source.recording, recording)) {
    if (status === 'paused') resume()
  } else {
    begin({ kind: 'recording', recording }, getPlayer().stationId)
  }
}

/** Plays what was played last. */
export function resume(): void {
  const { source, stationId } = getPlayer()
  const element = getAudioElement()
  if (source.kind === 'live') playLive(stationId)
  else if (!element?.src || element.error || element.ended) begin(source, stationId)
  else {
    setPlayer({ status: 'starting' })
    sound(element)
  }
}

/** Stops: the radio is dropped, for it is live when it comes back; a recording keeps its place. */
export function pause(): void {
  savePosition()
  setPlayer({ status: 'paused', sleepAt: null })
  const element = getAudioElement()
  element?.pause()
  if (element && getPlayer().source.kind === 'live') {
    element.removeAttribute('src')
    element.load()
  }
  void getGraph()?.context.suspend()
}

export function toggle(): void {
  if (getPlayer().status === 'paused') resume()
  else pause()
}

/** Goes to a second of the recording; the radio can't be wound. */
export function seek(seconds: number): void {
  const { source } = getPlayer()
  if (source.kind !== 'recording') return
  place = Math.max(0, Math.min(seconds, durationOf(source.recording)))
  const element = getAudioElement()
  if (element?.src && element.readyState > 0) element.currentTime = place
  savePosition()
}

/** Takes another station, at once when the radio is playing. */
export function chooseStation(stationId: number): void {
  const { status, source } = getPlayer()
  setPlayer({ stationId, nowPlaying: null })
  if (source.kind === 'live' && status !== 'paused') begin(source, stationId)
}

/** The sound as the visualiser and the meters see it; null until something plays, and where it cannot be had. */
export function audioGraph(): AudioGraph | null {
  const element = getAudioElement()
  return element && !isOpaque(element) ? getGraph() : null
}

/**
 * The sound for whoever asks for it outright, which leads it through the graph where it is left alone otherwise.
 * @throws Error when nothing plays or the sound cannot be looked into
 */
export function openAudioGraph(): AudioGraph {
  const element = getAudioElement()
  if (getPlayer().status === 'paused' || !element?.src || isOpaque(element)) {
    throw new Error(visualiserMessages.noAudio)
  }
  if (!getGraph() && !lead(element)) throw new Error(visualiserMessages.noAudio)
  return getGraph() as AudioGraph
}

/** Where the recording is and how long it is, in seconds. */
export function recordingPosition(): { at: number; duration: number } {
  const { source } = getPlayer()
  return source.kind === 'recording' ? { at: place, duration: durationOf(source.recording) } : { at: 0, duration: 0 }
}

/** Sets the stream anew and starts it: the radio at its live edge, a recording where it was. */
export function loadAndPlay(): void {
  const element = ensureAudioElement()
  listen(element)
  const { url, foreign } = address()
  element.crossOrigin = foreign && withCors ? 'anonymous' : null
  silentUntil = 0
  element.src = url
  if (!foreign && !isAppleMobile()) lead(element)
  sound(element)
}

/** Asks a foreign stream the other way next time: looked into, or only heard. */
export const toggleCors = () => {
  withCors = !withCors
}

/** The show is over: there is no place to come back to. */
export function finishRecording(): void {
  place = 0
  savePosition()
  pause()
}

const isSame = (one: Recording, other: Recording) =>
  one.stationId === other.stationId && one.streamerId === other.streamerId && one.broadcastId === other.broadcastId

function begin(source: Source, stationId: number) {
  savePosition()
  place = source.kind === 'recording' ? getResumePosition(source.recording) : 0
  setPlayer({ source, stationId, status: 'starting' })
  loadAndPlay()
}

/** What is to be loaded, and whether it comes from another origin than ours. */
function address(): { url: string; foreign: boolean } {
  const { source, stationId, stations } = getPlayer()
  if (source.kind === 'recording') {
    const { stationId: of, streamerId, broadcastId } = source.recording
    return { url: downloadPath(of, streamerId, broadcastId), foreign: false }
  }
  const station = stations.find(({ id }) => id === stationId)
  // the relay is where this page is, whatever other name the site has
  const url = new URL(station?.direct ? station.listen_url : streamPath(stationId), location.href)
  const foreign = url.origin !== location.origin
  // Once the element is led through the graph, a stream that can't be looked into would be silent: ours can.
  if (foreign && !withCors && getGraph()) return { url: streamPath(stationId), foreign: false }
  return { url: url.href, foreign }
}

/** The list of stations came after the start: the stream changes if it is another one. */
function followStations() {
  const element = getAudioElement()
  const { source, status } = getPlayer()
  if (!element || status === 'paused' || source.kind !== 'live') return
  if (element.src !== new URL(address().url, location.href).href) loadAndPlay()
}

function sound(element: HTMLAudioElement) {
  applyVolume()
  void getGraph()
    ?.context.resume()
    .catch(() => {})
  // A load that fails, or is overtaken by the next, is the watch's business.
  element.play().catch((error: DOMException) => {
    if (error.name === 'NotAllowedError') pause()
  })
}

/** Leads the element through the graph; false where the browser has none to give. */
function lead(element: HTMLAudioElement): boolean {
  try {
    ensureGraph(element)
    applyVolume()
    return true
  } catch {
    return false
  }
}

/** A foreign stream without permission: through a graph it would be silence. */
const isOpaque = (element: HTMLAudioElement) =>
  element.crossOrigin === null && new URL(element.src, location.href).origin !== location.origin

/** Follows what the element says about itself; what it means when it says nothing is the watch's business. */
function listen(element: HTMLAudioElement) {
  if (listening) return
  listening = true
  element.addEventListener('loadedmetadata', () => {
    if (getPlayer().source.kind === 'recording' && place > 0) element.currentTime = place
    silentUntil = element.currentTime
  })
  element.addEventListener('seeked', () => {
    silentUntil = element.currentTime
  })
  element.addEventListener('timeupdate', () => {
    if (element.paused || element.seeking || element.currentTime < silentUntil + HEARD_SECONDS) return
    place = element.currentTime
    if (getPlayer().status !== 'playing') heard(element)
  })
  // Ours sets the status first, and the end of the sound is none: this one comes from the system or another player.
  element.addEventListener('pause', () => {
    if (getPlayer().status !== 'paused' && element.paused && !element.ended && !element.error) pause()
  })
}

function heard(element: HTMLAudioElement) {
  if (element.crossOrigin !== null && !isAppleMobile()) lead(element)
  void getGraph()
    ?.context.resume()
    .catch(() => {})
  setPlayer({ status: 'playing' })
}

function durationOf(recording: Recording): number {
  const known = getAudioElement()?.duration
  return known && Number.isFinite(known) ? known : recording.duration
}

/** Writes down where the recording is, for the next visit. */
export function savePosition(): void {
  const { source } = getPlayer()
  if (source.kind === 'recording') storeResumePosition(source.recording, place, durationOf(source.recording))
}
