import { useEffect, useEffectEvent, useRef } from 'react'
import { useWaiting } from './waiting.ts'

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
