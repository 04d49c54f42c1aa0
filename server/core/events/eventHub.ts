import { and, asc, gt, inArray, max, min, or, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import {
  type Change,
  isRadioTopic,
  type LiveEvent,
  type LivePost,
  type RadioEvent,
  type StoredTopic,
  type Topic,
} from '#src/contract/live.ts'
import type { Numbered } from './event.ts'

/** Without an id: it is no row, and is not replayed. */
type Item = { id: number | null; event: LiveEvent; bytes: number }
type Listener = {
  topics: ReadonlySet<string>
  queue: Item[]
  /** bytes of the events that are held for it */
  held: number
  wake: () => void
  ended: boolean
}
/** Events that are replayed, and that wait for a connection: one that missed more reads its page's data again. */
const REPLAY_LIMIT = 500
const QUEUE_LIMIT = 500

type Limits = {
  /** guards sockets; past it pages ask now and then instead */
  connectionsPerNetwork: number
  /** guards memory against connections that are not read from: of events held for one */
  bytesPerConnection: number
}
/** Looks posts up as they stand now, by number; what is gone is missing. Null where their texts exceed `maxBytes`. */
type ResolvePosts = (ids: number[], maxBytes?: number) => Promise<Map<number, LivePost> | null>

export type LiveHub = ReturnType<typeof createLiveHub>

/**
 * Hands changes to the connections that listen: each is looked up once a process, however many listen. A connection
 * that would hold too much is told to read its page's data again instead.
 */
export function createLiveHub(
  { db, events }: Pick<DatabaseHandle, 'db' | 'events'>,
  resolvePosts: ResolvePosts,
  limits: Limits,
  onFault: (error: unknown) => void,
) {
  const listeners = new Set<Listener>()
  const connections = createNetworkBudget({ perNetwork: limits.connectionsPerNetwork })
  let closed = false
  let line = Promise.resolve()

  const endAll = () => {
    for (const listener of listeners) end(listener)
  }
  // One after the other: a page must see the changes in the order in which they were made.
  const stop = events.subscribe((payload) => {
    line = line
      .then(() => deliver(JSON.parse(payload) as Numbered[]))
      .catch((error) => {
        onFault(error)
        // What could not be looked up now is asked for again by the connections that come back.
        endAll()
      })
  })
  // While nobody listened something may have been missed: each connection comes back and asks for it.
  const stopLost = events.onLost(endAll)

  /** @returns null where the posts are too large together */
  async function withPosts(numbered: Numbered[], maxBytes?: number): Promise<Item[] | null> {
    const ids = numbered.flatMap(({ change }) => (change.kind === 'post' ? [change.postId] : []))
    const posts = ids.length > 0 ? await resolvePosts([...new Set(ids)], maxBytes) : new Map<number, LivePost>()
    if (!posts) return null
    return numbered.map(({ id, topic, change }) =>
      itemOf(id, { topic, change, ...(change.kind === 'post' && { post: posts.get(change.postId) }) }),
    )
  }

  async function deliver(numbered: Numbered[]): Promise<void> {
    const heard = numbered.filter(({ topic }) => [...listeners].some((listener) => listener.topics.has(topic)))
    if (heard.length === 0) return
    for (const item of (await withPosts(heard)) ?? []) give(item)
  }

  function give(item: Item): void {
    for (const listener of listeners) {
      if (!listener.topics.has(item.event.topic)) continue
      listener.queue.push(item)
      listener.held += item.bytes
      if (listener.queue.length > QUEUE_LIMIT || listener.held > limits.bytesPerConnection) replaceByStale(listener)
      listener.wake()
    }
  }

  /** Ids are given before commits: one a little older than the last seen may have become visible after it. */
  async function missed(topics: StoredTopic[], lastEventId: number): Promise<Item[]> {
    if (topics.length === 0) return []
    const [kept] = await db.select({ oldest: min(event.id), newest: max(event.id) }).from(event)
    if (kept?.oldest != null && lastEventId < kept.oldest - 1) return [stale(topics, kept.newest ?? lastEventId)]
    const seenAt = sql`(select ${event.createdAt} - interval '10 seconds' from ${event} where ${event.id} = ${lastEventId})`
    const rows = await db
      .select()
      .from(event)
      .where(and(inArray(event.topic, topics), or(gt(event.id, lastEventId), gt(event.createdAt, seenAt))))
      .orderBy(asc(event.id))
      .limit(REPLAY_LIMIT + 1)
    if (rows.length > REPLAY_LIMIT) return [stale(topics, rows.at(-1)?.id ?? lastEventId)]
    const numbered = rows.map((row) => ({ id: row.id, topic: row.topic as StoredTopic, change: row.change as Change }))
    const items = await withPosts(numbered, limits.bytesPerConnection)
    const bytes = items?.reduce((sum, item) => sum + item.bytes, 0) ?? Number.POSITIVE_INFINITY
    return items && bytes <= limits.bytesPerConnection ? items : [stale(topics, rows.at(-1)?.id ?? lastEventId)]
  }

  return {
    /** Whether anybody listens to a topic, in this process. */
    hears: (topic: Topic) => [...listeners].some((listener) => listener.topics.has(topic)),

    /** How many connections listen, in this process. */
    size: () => listeners.size,

    /** Bytes of events that are held for all connections, in this process. */
    heldBytes: () => [...listeners].reduce((sum, { held }) => sum + held, 0),

    /** Tells those who listen in this process of something that is no row. */
    push: (event: RadioEvent) => give(itemOf(null, event)),

    /** Changes of some topics, first those missed since `lastEventId`, then as they come, until `signal` aborts. */
    async *listen(topics: Topic[], lastEventId: number, from: string, signal: AbortSignal | undefined) {
      if (signal?.aborted) return
      if (closed) throw errors.unavailable('The site is restarting')
      const leave = connections.take(from)
      if (!leave) throw errors.tooMany('Too many live connections', { retryAfter: 60 })
      const listener: Listener = { topics: new Set(topics), queue: [], held: 0, wake: () => {}, ended: false }
      listeners.add(listener)
      const abort = () => end(listener)
      signal?.addEventListener('abort', abort)
      try {
        const stored = topics.filter((topic) => !isRadioTopic(topic))
        const replayed = await missed(stored as StoredTopic[], lastEventId)
        const awaited = new Set(replayed.map((item) => item.id))
        /** were sent, and may be announced yet */
        const sent = new Set<number | null>()
        // What came meanwhile and is replayed too is not held twice.
        listener.queue = [...replayed, ...listener.queue.filter(({ id }) => id === null || !awaited.has(id))]
        listener.held = listener.queue.reduce((sum, { bytes }) => sum + bytes, 0)
        if (listener.held > limits.bytesPerConnection) replaceByStale(listener)
        let seen = lastEventId
        while (!listener.ended) {
          const item = listener.queue.shift()
          if (item) {
            listener.held -= item.bytes
            if (sent.delete(item.id)) continue
            if (awaited.delete(item.id)) sent.add(item.id)
            seen = Math.max(seen, item.id ?? 0)
            // A browser comes back with the last id it was given: of what has none, that is the last row's.
            yield { id: item.id ?? seen, event: item.event }
          } else {
            await new Promise<void>((resolve) => {
              listener.wake = resolve
            })
          }
        }
      } finally {
        signal?.removeEventListener('abort', abort)
        listeners.delete(listener)
        leave()
      }
    },

    /** Ends all connections; browsers come back by themselves when the site is up again. */
    async close() {
      closed = true
      stop()
      stopLost()
      endAll()
      await line
    },
  }
}

function end(listener: Listener): void {
  listener.ended = true
  listener.wake()
}

const itemOf = (id: number | null, event: LiveEvent): Item => ({
  id,
  event,
  bytes: Buffer.byteLength(JSON.stringify(event)),
})

const stale = (topics: StoredTopic[], id: number | null): Item =>
  itemOf(id, { topic: topics[0] as StoredTopic, change: { kind: 'stale' } })

/** In place of all that waits: the page reads its data again, which has it. */
function replaceByStale(listener: Listener): void {
  const topics = [...listener.topics] as StoredTopic[]
  const newest = Math.max(...listener.queue.map(({ id }) => id ?? 0))
  const item = stale(topics, newest || null)
  listener.queue = [item]
  listener.held = item.bytes
}
