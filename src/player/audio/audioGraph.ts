import type { AudioGraph } from '#src/player/types.ts'

type OutputGraph = AudioGraph & { gain: GainNode }

let graph: OutputGraph | null = null

/** The graph, if there is one yet. */
export const getGraph = (): OutputGraph | null => graph

/**
 * Leads the element's sound through analysers and a gain; an element can be led away once only, so this graph stays.
 * @throws DOMException where the browser has no audio to give
 */
export function ensureGraph(element: HTMLAudioElement): OutputGraph {
  if (graph) return graph
  const context = new AudioContext({ latencyHint: 'playback' })
  const source = context.createMediaElementSource(element)
  const analyser = new AnalyserNode(context, {
    fftSize: 2048,
    // a mono station is heard, and shown, on both sides
    channelCount: 2,
    channelCountMode: 'explicit',
    channelInterpretation: 'speakers',
  })
  const splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 })
  const left = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0 })
  const right = new AnalyserNode(context, { fftSize: 2048, smoothingTimeConstant: 0 })
  const gain = new GainNode(context, { gain: 0 })

  source.connect(analyser).connect(gain).connect(context.destination)
  analyser.connect(splitter)
  splitter.connect(left, 0)
  splitter.connect(right, 1)
  graph = { context, analyser, left, right, gain }
  return graph
}

/** iPhones and iPads let a live stream that goes through a graph fall silent: there the element stays by itself. */
export function isAppleMobile(): boolean {
  return (
    /iP(hone|ad|od)/.test(navigator.userAgent) || (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1)
  )
}
