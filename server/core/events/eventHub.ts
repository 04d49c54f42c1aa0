import { and, asc, gt, inArray, lt, max, min, or, type SQL, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import {
  type Change,
  type EventPost,
  isRadioTopic,
  type RadioEvent,
  type SiteEvent,
  type StoredTopic,
  type Topic,
} from '#src/contract/events.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { PublishedChange } from './event.ts'

/** Radio events have no id, because the server does not store or replay them. */
type QueuedEvent = { id: number | null; event: SiteEvent; bytes: number }
type Subscriber = {
  topics: ReadonlySet<string>
  queue: QueuedEvent[]
  queuedBytes: number
  wake: () => void
  ended: boolean
}
/** Above these limits, one `stale` event replaces the events. The page then reads its data again. */
const REPLAY_LIMIT = 500
const QUEUE_LIMIT = 500

type Limits = {
  /** limits open sockets; further pages poll instead */
  connectionsPerNetwork: number
  /** limits memory for clients that do not read their events */
  bytesPerConnection: number
}
/** Reads posts by number and skips deleted posts. Returns null if the texts exceed `maxBytes`. */
type ReadEventPosts = (ids: number[], maxBytes?: number) => Promise<Map<number, EventPost> | null>

export type EventHub = ReturnType<typeof createEventHub>

/**
 * Forwards published changes to the subscribed connections. Reads the posts of a change once for all connections. If a
 * connection's queue grows too large, it gets a `stale` event instead. Its page then reads its data again.
 */
export function createEventHub(
  { db, events }: Pick<DatabaseHandle, 'db' | 'events'>,
  readEventPosts: ReadEventPosts,
  limits: Limits,
  onFault: (error: unknown) => void,
) {
  const subscribers = new Set<Subscriber>()
  const connections = createNetworkBudget({ perNetwork: limits.connectionsPerNetwork })
  let closed = false
  let deliveries = Promise.resolve()

  const endAll = () => {
    for (const subscriber of subscribers) end(subscriber)
  }
  // Deliver changes one after the other, because pages must receive them in order.
  const unsubscribe = events.subscribe((payload) => {
    deliveries = deliveries
      .then(() => deliver(JSON.parse(payload) as PublishedChange[]))
      .catch((error) => {
        onFault(error)
        // If a delivery fails, end all connections: browsers reconnect and ask for missed events.
        endAll()
      })
  })
  const unsubscribeReconnect = events.onReconnect(endAll)

  /** @returns null if the posts together exceed `maxBytes` */
  async function resolve(changes: PublishedChange[], maxBytes?: number): Promise<QueuedEvent[] | null> {
    const ids = changes.flatMap(({ change }) => (change.kind === 'post' ? [change.postId] : []))
    const posts = ids.length > 0 ? await readEventPosts([...new Set(ids)], maxBytes) : new Map<number, EventPost>()
    if (!posts) return null
    return changes.map(({ id, topic, change }) =>
      createQueuedEvent(id, { topic, change, ...(change.kind === 'post' && { post: posts.get(change.postId) }) }),
    )
  }

  const hasSubscribers = (topic: Topic) => [...subscribers].some(({ topics }) => topics.has(topic))

  async function deliver(changes: PublishedChange[]): Promise<void> {
    const wanted = changes.filter(({ topic }) => hasSubscribers(topic))
    if (wanted.length === 0) return
    for (const queued of (await resolve(wanted)) ?? []) enqueue(queued)
  }

  function enqueue(queued: QueuedEvent): void {
    for (const subscriber of subscribers) {
      if (!subscriber.topics.has(queued.event.topic)) continue
      subscriber.queue.push(queued)
      subscriber.queuedBytes += queued.bytes
      if (subscriber.queue.length > QUEUE_LIMIT || subscriber.queuedBytes > limits.bytesPerConnection) {
        replaceByStale(subscriber)
      }
      subscriber.wake()
    }
  }

  /**
   * Also repeats events from about the time of the last one: ids are assigned before commits, so a page with a higher id
   * can miss a lower id. Then the last one is repeated too: it can undo an earlier one, such as a deletion.
   */
  async function readMissed(topics: StoredTopic[], lastEventId: number): Promise<QueuedEvent[]> {
    if (topics.length === 0) return []
    const [stored] = await db.select({ oldest: min(event.id), newest: max(event.id) }).from(event)
    if (stored?.oldest != null && lastEventId < stored.oldest - 1) {
      return [createStale(topics, stored.newest ?? lastEventId)]
    }
    const seenAt = (range: SQL) =>
      sql`(select ${event.createdAt} ${range} from ${event} where ${event.id} = ${lastEventId})`
    const isRepeat = and(
      gt(event.createdAt, seenAt(sql`- interval '10 seconds'`)),
      lt(event.createdAt, seenAt(sql`+ interval '10 seconds'`)),
    )
    const rows = await db
      .select()
      .from(event)
      .where(and(inArray(event.topic, topics), or(gt(event.id, lastEventId), isRepeat)))
      .orderBy(asc(event.id))
      .limit(REPLAY_LIMIT + 1)
    if (rows[0]?.id === lastEventId) rows.shift()
    const stale = () => [createStale(topics, rows.at(-1)?.id ?? lastEventId)]
    if (rows.length > REPLAY_LIMIT) return stale()
    const changes = rows.map((row) => ({ id: row.id, topic: row.topic as StoredTopic, change: row.change as Change }))
    const missed = await resolve(changes, limits.bytesPerConnection)
    return missed && sumBytes(missed) <= limits.bytesPerConnection ? missed : stale()
  }

  return {
    hasSubscribers,

    connectionCount: () => subscribers.size,

    queuedBytes: () => [...subscribers].reduce((sum, { queuedBytes }) => sum + queuedBytes, 0),

    broadcast: (event: RadioEvent) => enqueue(createQueuedEvent(null, event)),

    /** Yields missed events, then new events. @throws AppError 429 for too many connections of a network */
    async *subscribe(topics: Topic[], lastEventId: number, address: string, signal: AbortSignal | undefined) {
      if (signal?.aborted) return
      if (closed) throw errors.unavailable(refusal('failure.restarting'))
      const releaseConnection = connections.take(address)
      if (!releaseConnection) throw errors.tooMany(refusal('failure.tooManyEvents'), { retryAfter: 60 })
      const subscriber: Subscriber = {
        topics: new Set(topics),
        queue: [],
        queuedBytes: 0,
        wake: () => {},
        ended: false,
      }
      subscribers.add(subscriber)
      const abort = () => end(subscriber)
      signal?.addEventListener('abort', abort)
      try {
        const stored = topics.filter((topic) => !isRadioTopic(topic))
        const replayed = await readMissed(stored as StoredTopic[], lastEventId)
        const isDuplicate = mergeReplay(subscriber, replayed)
        if (subscriber.queuedBytes > limits.bytesPerConnection) replaceByStale(subscriber)
        let lastSentId = lastEventId
        while (!subscriber.ended) {
          const queued = subscriber.queue.shift()
          if (!queued) {
            await new Promise<void>((wake) => {
              subscriber.wake = wake
            })
            continue
          }
          subscriber.queuedBytes -= queued.bytes
          if (isDuplicate(queued)) continue
          lastSentId = Math.max(lastSentId, queued.id ?? 0)
          // Browsers reconnect with the last received id, so an event without an id repeats the previous id.
          yield { id: queued.id ?? lastSentId, event: queued.event }
        }
      } finally {
        signal?.removeEventListener('abort', abort)
        subscribers.delete(subscriber)
        releaseConnection()
      }
    },

    /** Ends all connections. Browsers reconnect when the site is back. */
    async close() {
      closed = true
      unsubscribe()
      unsubscribeReconnect()
      endAll()
      await deliveries
    },
  }
}

function end(subscriber: Subscriber): void {
  subscriber.ended = true
  subscriber.wake()
}

const createQueuedEvent = (id: number | null, event: SiteEvent): QueuedEvent => ({
  id,
  event,
  bytes: Buffer.byteLength(JSON.stringify(event)),
})

const sumBytes = (queue: QueuedEvent[]) => queue.reduce((sum, { bytes }) => sum + bytes, 0)

/** Puts replayed events first in the queue. @returns a function that detects duplicates of them */
function mergeReplay(subscriber: Subscriber, replayed: QueuedEvent[]): (queued: QueuedEvent) => boolean {
  const unsent = new Set(replayed.map(({ id }) => id))
  const sent = new Set<number | null>()
  subscriber.queue = [...replayed, ...subscriber.queue.filter(({ id }) => id === null || !unsent.has(id))]
  subscriber.queuedBytes = sumBytes(subscriber.queue)
  return ({ id }) => {
    if (sent.delete(id)) return true
    if (unsent.delete(id)) sent.add(id)
    return false
  }
}

/** The topic is arbitrary: clients apply `stale` to all topics of the connection. */
const createStale = (topics: StoredTopic[], id: number | null): QueuedEvent =>
  createQueuedEvent(id, { topic: topics[0] as StoredTopic, change: { kind: 'stale' } })

function replaceByStale(subscriber: Subscriber): void {
  const newest = Math.max(...subscriber.queue.map(({ id }) => id ?? 0))
  const stale = createStale([...subscriber.topics] as StoredTopic[], newest || null)
  subscriber.queue = [stale]
  subscriber.queuedBytes = stale.bytes
}
