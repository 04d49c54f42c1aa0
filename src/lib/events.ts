import { isRadioTopic, type PageEvent, type Topic } from '#src/contract/events.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { siteNotice } from './siteNotice.ts'
import { createThrottle, REFETCH_THROTTLE } from './throttle.ts'
import { whenIdle } from './whenIdle.ts'

/** Refetch interval while there is no connection. After RETRY_MS, the browser tries to connect again. */
const POLL_MS = 15_000
const RETRY_MS = 60_000
/** The server sends something every 15 seconds, unless the connection is dead. */
const SILENCE_MS = 40_000
/** During a navigation, this delay gives the next page time to subscribe. */
const RECONNECT_DELAY_MS = 50

type EventSubscription = {
  topics: Topic[]
  lastEventId?: string
  onEvent: (event: PageEvent) => void
  /** Called if events were missed or there is no connection. Must refetch the data. */
  onStale: () => void
}

export type PageEvents = {
  topics: Topic[]
  /** the last event that the page's data contains */
  lastEventId: string
  onEvent: (event: PageEvent, refetchSoon: () => void) => void
  /** subscribePageEvents throttles the calls. */
  refetch: () => Promise<unknown>
}

type Subscriber = EventSubscription & { lastSeenId: number }

// Page and player share a connection, because browsers open only six connections per host over HTTP/1.1.
const subscribers = new Set<Subscriber>()
let connection: EventSource | null = null
let silenceTimer: ReturnType<typeof setTimeout> | undefined
let reconnectTimer: ReturnType<typeof setTimeout> | undefined
let retryTimer: ReturnType<typeof setTimeout> | undefined
let pollTimer: ReturnType<typeof setInterval> | undefined
let cancelIdleReconnect = () => {}

/**
 * Subscribes to topics over the tab's event connection. The connection is closed while the tab is hidden, and later
 * resumes after the last received event. If the server refuses connections, calls `onStale` at an interval instead.
 * @returns a function that unsubscribes
 */
export function subscribeEvents(options: EventSubscription): () => void {
  const subscriber = { ...options, lastSeenId: Number(options.lastEventId ?? 0) }
  if (subscribers.size === 0) {
    document.addEventListener('visibilitychange', connectIfVisible)
    window.addEventListener('online', reconnect)
  }
  subscribers.add(subscriber)
  reconnectWhenIdle()
  return () => {
    subscribers.delete(subscriber)
    reconnectWhenIdle()
    if (subscribers.size > 0) return
    document.removeEventListener('visibilitychange', connectIfVisible)
    window.removeEventListener('online', reconnect)
  }
}

/** Like subscribeEvents, but throttles refetches. */
export function subscribePageEvents({ topics, lastEventId, onEvent, refetch }: PageEvents): () => void {
  const { request, stop } = createThrottle(refetch, REFETCH_THROTTLE)
  const close = subscribeEvents({ topics, lastEventId, onEvent: (event) => onEvent(event, request), onStale: request })
  return () => {
    stop()
    close()
  }
}

/** A navigation unsubscribes, then subscribes. The delay allows one reconnect; the server replays missed events. */
function reconnectWhenIdle() {
  clearTimeout(reconnectTimer)
  cancelIdleReconnect()
  cancelIdleReconnect = whenIdle(() => {
    reconnectTimer = setTimeout(reconnect, RECONNECT_DELAY_MS)
  })
}

function reconnect() {
  disconnect()
  connectIfVisible()
}

function connectIfVisible() {
  if (document.hidden || subscribers.size === 0) pause()
  else if (!connection) connect()
}

/** Does not use the tRPC client, because most visitors would load it only for this. */
function connect() {
  disconnect()
  const all = [...subscribers]
  // Resumes after the lowest `lastSeenId`, so some subscribers may get an event twice. Ignores radio subscribers,
  // because the server never replays radio events.
  const seenIds = all.filter(({ topics }) => !topics.every(isRadioTopic)).map(({ lastSeenId }) => lastSeenId)
  const input = {
    topics: ['site', ...new Set(all.flatMap(({ topics }) => topics))],
    lastEventId: String(seenIds.length > 0 ? Math.min(...seenIds) : 0),
    html: currentLanguage(),
  }
  const source = new EventSource(`/trpc/site.events?input=${encodeURIComponent(JSON.stringify({ json: input }))}`)
  connection = source
  const awaitNext = () => {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(reconnect, SILENCE_MS)
  }
  awaitNext()
  const listen = (type: string, run: (event: MessageEvent) => void) =>
    source.addEventListener(type, (event) => {
      awaitNext()
      run(event)
    })
  listen('connected', () => clearInterval(pollTimer))
  listen('ping', () => {})
  listen('message', ({ lastEventId, data }) => dispatch(Number(lastEventId), parseEvent(data)))
  // Spreads the reconnects with a random delay, because a restarting server ends all connections at once.
  listen('return', () => {
    disconnect()
    retryTimer = setTimeout(connect, 1000 + Math.random() * 3000)
  })
  const fail = () => {
    disconnect()
    clearInterval(pollTimer)
    pollTimer = setInterval(markAllStale, POLL_MS)
    retryTimer = setTimeout(connect, RETRY_MS)
  }
  // After a failure of the server, the browser tries again by itself.
  listen('serialized-error', ({ data }) => JSON.parse(data).json.data.httpStatus < 500 && fail())
  source.addEventListener('error', () => source.readyState === EventSource.CLOSED && fail())
}

/** Restores the only date of events. */
const parseEvent = (text: string): PageEvent =>
  JSON.parse(text, (key, value) => (key === 'lastActivity' ? new Date(value) : value)).json

function dispatch(id: number, event: PageEvent) {
  if (event.change.kind === 'notice') siteNotice.set(event.change.switches)
  for (const subscriber of subscribers) {
    const isStale = event.change.kind === 'stale'
    if (!isStale && !subscriber.topics.includes(event.topic)) continue
    subscriber.lastSeenId = Math.max(subscriber.lastSeenId, id)
    if (isStale) subscriber.onStale()
    else subscriber.onEvent(event)
  }
}

function markAllStale() {
  for (const subscriber of subscribers) subscriber.onStale()
}

function disconnect() {
  clearTimeout(retryTimer)
  clearTimeout(silenceTimer)
  connection?.close()
  connection = null
}

function pause() {
  clearInterval(pollTimer)
  disconnect()
}
