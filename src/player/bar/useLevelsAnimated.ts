import { useSyncExternalStore } from 'react'
import { getAnalysableGraph } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

let reduced: MediaQueryList | null = null

export function areLevelsAnimated(): boolean {
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)')
  return getPlayer().status === 'playing' && !document.hidden && !reduced.matches && getAnalysableGraph() !== null
}

function subscribe(listener: () => void) {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)')
  const unsubscribe = subscribePlayer(listener)
  document.addEventListener('visibilitychange', listener)
  reduced.addEventListener('change', listener)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', listener)
    reduced.removeEventListener('change', listener)
  }
}

export const useLevelsAnimated = (): boolean => useSyncExternalStore(subscribe, areLevelsAnimated, () => false)
