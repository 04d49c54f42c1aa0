import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#src/contract/events.ts'
import { isRadioTopic, type Topic } from '#src/contract/eventTopics.ts'
import { whenIdle } from './idle.ts'
import { trpc } from './trpc.ts'

/** How often a page asks while it has no event connection, and when it tries to get one again. */
const POLL_MS = 15_000
const RETRY_MS = 60_000

type LiveOptions = {
  topics: Topic[]
  /** the last event the data of these topics knows of; without it one is told to read them anew */
  lastEventId?: string
  onEvent: (event: LiveEvent, id: number) => void
  /** more was missed than can be told, or there is no connection: read the data anew */
  onStale: () => void
}

type Follower = LiveOptions & { seen: number }

// One connection for the whole tab, for a browser opens only six to a site: page and player share it.
const followers = new Set<Follower>()
let connection: { unsubscribe: () => void } | null = null
let change: ReturnType<typeof setTimeout> | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let poll: ReturnType<typeof setInterval> | undefined
let notYet = () => {}

/**
 * Follows the changes of some topics over the tab's event connection: closed while the tab is hidden, resumed after the
 * last event seen; where connections are refused, `onStale` is called now and then instead. Returns how to stop.
 */
export function openLive(options: LiveOptions): () => void {
  const follower = { ...options, seen: Number(options.lastEventId ?? 0) }
  if (followers.size === 0) {
    document.addEventListener('visibilitychange', follow)
    window.addEventListener('online', followAnew)
  }
  followers.add(follower)
  reconnectSoon()
  return () => {
    followers.delete(follower)
    reconnectSoon()
    if (followers.size > 0) return
    document.removeEventListener('visibilitychange', follow)
    window.removeEventListener('online', followAnew)
  }
}

/**
 * When one page follows another, one connection follows the other too, not two; and the first one waits until the page
 * is at rest, for what happens meanwhile is not missed.
 */
function reconnectSoon() {
  clearTimeout(change)
  notYet()
  notYet = whenIdle(() => {
    change = setTimeout(followAnew)
  })
}

function followAnew() {
  disconnect()
  follow()
}

function follow() {
  if (document.hidden || followers.size === 0) pause()
  else if (!connection) connect()
}

async function connect() {
  disconnect()
  const mine = { unsubscribe: () => {} }
  connection = mine
  const fail = () => {
    if (connection !== mine) return
    clearInterval(poll)
    poll = setInterval(staleAll, POLL_MS)
    retry = setTimeout(connect, RETRY_MS)
  }
  const calls = await trpc().catch(fail)
  if (!calls || connection !== mine) return
  const all = [...followers]
  // What is on air needs no past; of the others each is told all it has missed, some of it perhaps twice.
  const seen = all.filter(({ topics }) => !topics.every(isRadioTopic)).map((follower) => follower.seen)
  const subscription = calls.site.live.subscribe(
    {
      topics: [...new Set(all.flatMap(({ topics }) => topics))],
      lastEventId: String(seen.length > 0 ? Math.min(...seen) : 0),
    },
    {
      onStarted: () => clearInterval(poll),
      onData: ({ id, data }) => {
        if (connection === mine) tell(Number(id), data)
      },
      onError: fail,
      // The server ends all connections when it restarts: they should not all come back at once.
      onComplete: () => {
        if (connection === mine) retry = setTimeout(connect, 1000 + Math.random() * 3000)
      },
    },
  )
  mine.unsubscribe = () => subscription.unsubscribe()
}

function tell(id: number, event: LiveEvent) {
  for (const follower of followers) {
    const isStale = event.change.kind === 'stale'
    if (!isStale && !follower.topics.includes(event.topic)) continue
    follower.seen = Math.max(follower.seen, id)
    if (isStale) follower.onStale()
    else follower.onEvent(event, id)
  }
}

function staleAll() {
  for (const follower of followers) follower.onStale()
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
