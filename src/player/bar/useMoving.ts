import { useSyncExternalStore } from 'react'
import { subscribePlayer } from '../store.ts'
import { areLevelsMoving } from './levels.ts'

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
export const useMoving = (): boolean => useSyncExternalStore(subscribe, areLevelsMoving, () => false)
