import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent, Topic } from '#src/contract/live.ts'
import { trpc } from './trpc.ts'

/** How often a page asks while it has no event connection, and when it tries to get one again. */
const POLL_MS = 15_000
const RETRY_MS = 60_000

type LiveOptions = {
  topics: Topic[]
  /** the last event the page's data knows of; without it the page is told to read its data anew */
  lastEventId?: string
  onEvent: (event: LiveEvent, id: number) => void
  /** more was missed than can be told, or there is no connection: read the page's data anew */
  onStale: () => void
}

/**
 * Follows the changes of some topics over one event connection: closed while the tab is hidden, resumed after the last
 * event seen; where connections are refused, `onStale` is called now and then instead. Returns how to stop.
 */
export function openLive({ topics, lastEventId, onEvent, onStale }: LiveOptions): () => void {
  let seen = Number(lastEventId ?? 0)
  let connection: { unsubscribe: () => void } | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let poll: ReturnType<typeof setInterval> | undefined

  function connect() {
    disconnect()
    const mine = trpc.site.live.subscribe(
      { topics, lastEventId: String(seen) },
      {
        onStarted: () => clearInterval(poll),
        onData: ({ id, data }) => {
          seen = Math.max(seen, Number(id))
          if (data.change.kind === 'stale') onStale()
          else onEvent(data, Number(id))
        },
        onError: () => {
          if (connection !== mine) return
          clearInterval(poll)
          poll = setInterval(onStale, POLL_MS)
          retry = setTimeout(connect, RETRY_MS)
        },
        // The server ends all connections when it restarts: they should not all come back at once.
        onComplete: () => {
          if (connection === mine) retry = setTimeout(connect, 1000 + Math.random() * 3000)
        },
      },
    )
    connection = mine
  }

  function disconnect() {
    clearTimeout(retry)
    const old = connection
    connection = null
    old?.unsubscribe()
  }

  function pause() {
    clearInterval(poll)
    disconnect()
  }

  function follow() {
    if (document.hidden) pause()
    else if (!connection) connect()
  }

  document.addEventListener('visibilitychange', follow)
  window.addEventListener('online', connect)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    window.removeEventListener('online', connect)
    pause()
  }
}

/** Follows the changes of a page's topics as long as it is shown; begins anew when topics or `lastEventId` change. */
export function useLive({ topics, lastEventId, ...handlers }: LiveOptions): void {
  const onEvent = useEffectEvent(handlers.onEvent)
  const onStale = useEffectEvent(handlers.onStale)
  const key = topics.join(' ')

  useEffect(() => {
    const listened = key.split(' ') as Topic[]
    return openLive({
      topics: listened,
      lastEventId,
      onEvent: (event, id) => onEvent(event, id),
      onStale: () => onStale(),
    })
  }, [key, lastEventId])
}
