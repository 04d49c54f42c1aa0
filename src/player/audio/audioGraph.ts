import type { AudioGraph } from '#src/player/types.ts'

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
