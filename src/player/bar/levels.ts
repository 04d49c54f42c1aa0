import { getGraph } from '#src/player/audio/audioGraph.ts'
import { recordingPosition } from '#src/player/engine.ts'
import { getPlayer } from '#src/player/store.ts'
import { areLevelsAnimated, subscribeLevelsAnimated } from './useLevelsAnimated.ts'

/** Levels in dBFS. */
type ChannelLevel = { rms: number; peak: number }
type LevelListener = (levels: { left: ChannelLevel; right: ChannelLevel }, isNewSample: boolean) => void

export const FLOOR_DB = -40
/** Average level of loud music. A tick has its full height at this level. */
const LOUD_DB = -7
const SAMPLE_MS = 66
const MAX_SAMPLES = 600
const WAVEFORM_PARTS = 900

const recentLevels: number[] = []

let waveform = { recording: null as unknown, parts: new Float32Array(0) }
let frame = 0
let sampledAt = 0
let loudest = Number.NEGATIVE_INFINITY
let unsubscribe = () => {}
const samples = new Float32Array(2048)
const listeners = new Set<LevelListener>()

export const getRecentLevels = (count: number): number[] => recentLevels.slice(Math.max(0, recentLevels.length - count))

export function subscribeLevels(listener: LevelListener): () => void {
  if (listeners.size === 0) unsubscribe = subscribeLevelsAnimated(scheduleFrame)
  listeners.add(listener)
  scheduleFrame()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) unsubscribe()
  }
}

export function getRecordingWaveform(): Float32Array {
  const { recording } = getPlayer()
  if (recording && waveform.recording !== recording) {
    waveform = { recording, parts: new Float32Array(WAVEFORM_PARTS) }
  }
  return waveform.parts
}

function scheduleFrame() {
  if (frame === 0 && listeners.size > 0 && areLevelsAnimated()) frame = requestAnimationFrame(measure)
}

function measure(now: number) {
  frame = 0
  const graph = getGraph()
  if (!graph || listeners.size === 0 || !areLevelsAnimated()) return
  const levels = { left: measureChannel(graph.left), right: measureChannel(graph.right) }
  loudest = Math.max(loudest, levels.left.rms, levels.right.rms)
  const isNewSample = now - sampledAt >= SAMPLE_MS
  if (isNewSample) storeSample(now)
  for (const listener of [...listeners]) listener(levels, isNewSample)
  frame = requestAnimationFrame(measure)
}

function storeSample(now: number) {
  const loudness = Math.min(1, Math.max(0, (loudest - FLOOR_DB) / (LOUD_DB - FLOOR_DB)))
  recentLevels.push(loudness)
  if (recentLevels.length > MAX_SAMPLES) recentLevels.shift()
  const { position, duration } = recordingPosition()
  if (duration > 0) {
    const parts = getRecordingWaveform()
    const part = Math.min(WAVEFORM_PARTS - 1, Math.floor((position / duration) * WAVEFORM_PARTS))
    parts[part] = Math.max(parts[part] ?? 0, loudness)
  }
  sampledAt = now
  loudest = Number.NEGATIVE_INFINITY
}

function measureChannel(analyser: AnalyserNode): ChannelLevel {
  analyser.getFloatTimeDomainData(samples)
  let squares = 0
  let highest = 0
  for (const sample of samples) {
    squares += sample * sample
    highest = Math.max(highest, Math.abs(sample))
  }
  return { rms: 20 * Math.log10(Math.sqrt(squares / samples.length)), peak: 20 * Math.log10(highest) }
}
