import { useSyncExternalStore } from 'react'
import { getGraph } from '#src/player/audio/audioGraph.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

const reducedMotion = import.meta.env.SSR ? null : matchMedia('(prefers-reduced-motion: reduce)')

export const areLevelsAnimated = (): boolean =>
  getPlayer().status === 'playing' && !document.hidden && !reducedMotion?.matches && getGraph() !== null

export function subscribeLevelsAnimated(listener: () => void): () => void {
  const unsubscribe = subscribePlayer(listener)
  document.addEventListener('visibilitychange', listener)
  reducedMotion?.addEventListener('change', listener)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', listener)
    reducedMotion?.removeEventListener('change', listener)
  }
}

export const useLevelsAnimated = (): boolean =>
  useSyncExternalStore(subscribeLevelsAnimated, areLevelsAnimated, () => false)
