import { useEffect, useEffectEvent } from 'react'
import type { Topic } from '#src/contract/events.ts'
import type { PageEvents } from './events.ts'
import { whenIdle } from './whenIdle.ts'

const RETRY_MS = 60_000

/** Keeps a page's data current with events. Loads the code for the connection when the page is idle. */
export function useEvents({ topics, lastEventId, ...handlers }: PageEvents): void {
  const onEvent = useEffectEvent(handlers.onEvent)
  const refetch = useEffectEvent(handlers.refetch)
  const key = topics.join(' ')

  useEffect(() => {
    let isMounted = true
    let timer: ReturnType<typeof setTimeout>
    let close = () => {}

    async function open() {
      try {
        const { subscribePageEvents } = await import('./events.ts')
        if (!isMounted) return
        close = subscribePageEvents({
          topics: key.split(' ') as Topic[],
          lastEventId,
          onEvent: (event, refetchSoon) => onEvent(event, refetchSoon),
          refetch: () => refetch(),
        })
      } catch {
        if (isMounted) timer = setTimeout(open, RETRY_MS)
      }
    }
    const cancel = whenIdle(() => void open())
    return () => {
      isMounted = false
      cancel()
      clearTimeout(timer)
      close()
    }
  }, [key, lastEventId])
}
