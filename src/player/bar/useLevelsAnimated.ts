import { useSyncExternalStore } from 'react'
import { audioGraph } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

let reduced: MediaQueryList | null = null

/** Whether there is anything measured to be shown, and somebody to look at it who wants things to move. */
export function areLevelsAnimated(): boolean {
  reduced ??= matchMedia('(prefers-reduced-motion: reduce)')
  return getPlayer().status === 'playing' && !document.hidden && !reduced.matches && audioGraph() !== null
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

/** Whether the levels move: there is sound, it can be measured, and somebody sees it who does not mind. */
export const useLevelsAnimated = (): boolean => useSyncExternalStore(subscribe, areLevelsAnimated, () => false)
