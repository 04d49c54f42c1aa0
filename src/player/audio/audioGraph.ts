import { getPlayer, setPlayer } from '#src/player/store.ts'

let element: HTMLAudioElement | null = null

/** Returns the site's only audio element, which keeps playing during navigation. */
export function getAudioElement(): HTMLAudioElement {
  if (!element) {
    element = document.createElement('audio')
    element.hidden = true
    element.preload = 'none'
    // A direct stream of a radio service would be silent in the graph otherwise.
    element.crossOrigin = 'anonymous'
    document.body.append(element)
  }
  return element
}

export type AudioGraph = {
  context: AudioContext
  /** placed before the gain node, so that the volume does not affect the visuals; FFT size 2048 */
  analyser: AnalyserNode
  /** one analyser per channel, for meters and waveforms; FFT size 2048 */
  left: AnalyserNode
  right: AnalyserNode
}

type OutputGraph = AudioGraph & { gain: GainNode }

let graph: OutputGraph | null = null

export const getGraph = (): OutputGraph | null => graph

/** Returns the graph. Creates it only once, because an element can have only one source node. @throws DOMException */
export function ensureGraph(element: HTMLAudioElement): OutputGraph {
  if (graph) return graph
  const context = new AudioContext({ latencyHint: 'playback' })
  const elementSource = context.createMediaElementSource(element)
  const analyser = new AnalyserNode(context, {
    fftSize: 2048,
    // Plays mono stations on both channels.
    channelCount: 2,
    channelCountMode: 'explicit',
    channelInterpretation: 'speakers',
  })
  const splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 })
  const left = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0 })
  const right = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0 })
  const gain = new GainNode(context, { gain: 0 })

  elementSource.connect(analyser).connect(gain).connect(context.destination)
  analyser.connect(splitter)
  splitter.connect(left, 0)
  splitter.connect(right, 1)
  graph = { context, analyser, left, right, gain }
  return graph
}

/** Detects iOS. There, the graph silences live streams, and pages cannot change the volume. */
export function isAppleMobile(): boolean {
  return (
    /iP(hone|ad|od)/.test(navigator.userAgent) || (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1)
  )
}

export function setVolume(volume: number): void {
  setPlayer({ volume: Math.round(Math.max(0, Math.min(1, volume)) * 100) / 100, muted: false })
  applyVolume()
}

export function toggleMuted(): void {
  setPlayer({ muted: !getPlayer().muted })
  applyVolume()
}

/** Squares the volume to match perceived loudness. Prefers the gain node, because it comes after the meters. */
export function applyVolume(): void {
  const { volume, muted } = getPlayer()
  const element = getAudioElement()
  const graph = getGraph()
  element.volume = graph ? 1 : volume ** 2
  element.muted = !graph && muted
  graph?.gain.gain.setTargetAtTime(muted ? 0 : volume ** 2, graph.context.currentTime, 0.01)
}
