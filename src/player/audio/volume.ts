import { getPlayer, setPlayer } from '#src/player/store.ts'
import { getAudioElement } from './audioElement.ts'
import { getGraph } from './audioGraph.ts'

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
