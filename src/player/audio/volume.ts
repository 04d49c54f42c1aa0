import { getPlayer, setPlayer } from '#src/player/store.ts'
import { getAudioElement } from './audioElement.ts'
import { getGraph } from './audioGraph.ts'

/** Sets the loudness between 0 and 1; whoever moves it wants to hear something. */
export function setVolume(volume: number): void {
  setPlayer({ volume: Math.round(Math.max(0, Math.min(1, volume)) * 100) / 100, muted: false })
  applyVolume()
}

export function toggleMuted(): void {
  setPlayer({ muted: !getPlayer().muted })
  applyVolume()
}

/** Loudness goes with the square, as the ear has it; with a graph what it shows does not fade along. */
export function applyVolume(): void {
  const { volume, muted } = getPlayer()
  const element = getAudioElement()
  const graph = getGraph()
  if (!element) return
  element.volume = graph ? 1 : volume ** 2
  element.muted = !graph && muted
  graph?.gain.gain.setTargetAtTime(muted ? 0 : volume ** 2, graph.context.currentTime, 0.01)
}
