import { useEffect, useEffectEvent, useRef } from 'react'
import type { Waiting } from '#src/contract/queue.ts'
import { createStore } from '#src/lib/store.ts'

/** What waits for the user; null for visitors, and for members who moderate no board. */
export const waitingStore = createStore<Waiting | null>(null)

export const useWaiting = waitingStore.useValue

/** Calls `refetch` when the queue has changed. */
export function useQueueChanges(refetch: () => unknown): void {
  const version = useWaiting()?.lastEventId
  const seen = useRef(version)
  const onChange = useEffectEvent(refetch)
  useEffect(() => {
    if (seen.current !== undefined && version !== undefined && seen.current !== version) onChange()
    seen.current = version
  }, [version])
}
