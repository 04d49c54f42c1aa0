import type { AudioLevels } from 'butterchurn'
import { t } from '#src/i18n/t.ts'
import type { AudioGraph } from '#src/player/audio/audioGraph.ts'
import { computeDrawingSize, createAdaptiveResolution } from './adaptiveResolution.ts'
import { presetNames } from './presetNames.ts'

/** Minimum time between frames: skips at least every other frame on displays above 90 Hz. */
const MIN_FRAME_MS = 11
/** butterchurn uses only the newest 1024 of the analysers' 2048 samples. */
const SAMPLES = 1024

export type Visualiser = Awaited<ReturnType<typeof createVisualiser>>

/** @throws Error with a message for visitors if the browser does not support WebGL2 */
export async function createVisualiser(canvas: HTMLCanvasElement, graph: AudioGraph, onLost: () => void) {
  const { default: exported } = await import('butterchurn')
  const butterchurn = 'default' in exported ? exported.default : exported
  // butterchurn reuses this context, so the attributes must be those that butterchurn requests.
  const gl = canvas.getContext('webgl2', {
    alpha: false,
    antialias: false,
    depth: false,
    stencil: false,
    premultipliedAlpha: false,
    powerPreference: 'high-performance',
  })
  if (!gl) throw new Error(t('player.noWebgl'))

  const resolution = createAdaptiveResolution()
  const readLevels = createLevelReader(graph)
  let box = { width: canvas.clientWidth, height: canvas.clientHeight }
  let ratio = devicePixelRatio
  let last = 0
  let frame = 0
  let requestedPreset = ''
  let closed = false

  const size = () => computeDrawingSize(box, ratio, resolution.scale())
  const { width, height } = size()
  canvas.width = width
  canvas.height = height
  const visualizer = butterchurn.createVisualizer(graph.context, canvas, {
    width,
    height,
    pixelRatio: 1,
    textureRatio: 1,
  })

  function resize() {
    const { width, height } = size()
    if (canvas.width === width && canvas.height === height) return
    canvas.width = width
    canvas.height = height
    visualizer.setRendererSize(width, height)
  }

  function draw(now: number) {
    frame = requestAnimationFrame(draw)
    if (now - last < MIN_FRAME_MS) return
    const changed = last > 0 && resolution.addFrame(now - last)
    last = now
    if (changed || ratio !== devicePixelRatio) {
      ratio = devicePixelRatio
      resize()
    }
    try {
      visualizer.render({ audioLevels: readLevels() })
    } catch (error) {
      console.warn('Visualiser could not draw', error)
      handleLoss()
    }
  }

  function stop() {
    cancelAnimationFrame(frame)
    frame = 0
    last = 0
    resolution.pause()
  }

  const observer = new ResizeObserver(() => {
    box = { width: canvas.clientWidth, height: canvas.clientHeight }
    resize()
  })
  observer.observe(canvas)

  function handleLoss() {
    stop()
    if (!closed) onLost()
  }
  canvas.addEventListener('webglcontextlost', handleLoss, { once: true })

  return {
    /** Resolves to false if another preset was requested meanwhile. After an error, the current preset stays. */
    show: async (name: string, blendSeconds: number): Promise<boolean> => {
      requestedPreset = name
      const { default: preset, images } = await loadPreset(name)
      if (closed || requestedPreset !== name || gl.isContextLost()) return false
      visualizer.loadExtraImages(images)
      visualizer.loadPreset(preset, blendSeconds)
      resolution.raise()
      resize()
      return true
    },
    start: () => {
      if (!frame && !closed) frame = requestAnimationFrame(draw)
    },
    stop,
    close: () => {
      closed = true
      stop()
      observer.disconnect()
      canvas.removeEventListener('webglcontextlost', handleLoss)
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

async function loadPreset(name: string) {
  const { load } = await import('virtual:presets/load')
  const module = await load[presetNames.indexOf(name)]?.()
  // A failed import returns undefined if a vite:preloadError handler suppresses the error.
  if (!module) throw new Error(t('player.presetFailed'))
  return module
}

function createLevelReader({ analyser, left, right }: AudioGraph): () => AudioLevels {
  const channels = [analyser, left, right].map((node) => ({ node, samples: new Uint8Array(node.fftSize) }))
  const newest = channels.map(({ samples }) => samples.subarray(-SAMPLES))
  const [timeByteArray, timeByteArrayL, timeByteArrayR] = newest as [Uint8Array, Uint8Array, Uint8Array]
  return () => {
    for (const { node, samples } of channels) node.getByteTimeDomainData(samples)
    return { timeByteArray, timeByteArrayL, timeByteArrayR }
  }
}
