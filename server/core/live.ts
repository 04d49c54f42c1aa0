import { and, asc, gt, inArray, max, min, or, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import {
  type Change,
  isRadioTopic,
  type LiveEvent,
  type LivePost,
  type RadioEvent,
  type StoredEvent,
  type StoredTopic,
  type Topic,
} from '#src/contract/live.ts'
import { addressGroup } from './addressGroup.ts'
import type { Numbered } from './announcement.ts'
import { errors } from './errors.ts'

type Listener = {
  topics: ReadonlySet<string>
  /** without an id: it is no row, and is not told again */
  queue: { id: number | null; event: LiveEvent }[]
  wake: () => void
  ended: boolean
}
const REPLAY_LIMIT = 500
/** Guards memory: a connection that reads nothing is ended, and comes back with what it has seen. */
const QUEUE_LIMIT = 500
/** Guards sockets: connections of one address; past it pages ask now and then instead. */
const CONNECTIONS_PER_ADDRESS = 24

export type LiveHub = ReturnType<typeof createLiveHub>

/**
 * Hands changes to the connections that listen: each is looked up once a process, however many listen.
 * @param resolvePosts posts as they stand now, by number; what is gone is missing
 */
export function createLiveHub(
  { db, events }: Pick<DatabaseHandle, 'db' | 'events'>,
  resolvePosts: (ids: number[]) => Promise<Map<number, LivePost>>,
  onFault: (error: unknown) => void,
) {
  const listeners = new Set<Listener>()
  const connections = new Map<string, number>()
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

  async function withPosts(numbered: Numbered[]): Promise<{ id: number; event: StoredEvent }[]> {
    const ids = numbered.flatMap(({ change }) => (change.kind === 'post' ? [change.postId] : []))
    const posts = ids.length > 0 ? await resolvePosts([...new Set(ids)]) : null
    return numbered.map(({ id, topic, change }) => ({
      id,
      event: { topic, change, ...(change.kind === 'post' && { post: posts?.get(change.postId) }) },
    }))
  }

  async function deliver(numbered: Numbered[]): Promise<void> {
    const heard = numbered.filter(({ topic }) => [...listeners].some((listener) => listener.topics.has(topic)))
    if (heard.length === 0) return
    for (const item of await withPosts(heard)) give(item)
  }

  function give(item: Listener['queue'][number]): void {
    for (const listener of listeners) {
      if (!listener.topics.has(item.event.topic)) continue
      if (listener.queue.length >= QUEUE_LIMIT) end(listener)
      else listener.queue.push(item)
      listener.wake()
    }
  }

  /** Ids are given before commits: one a little older than the last seen may have become visible after it. */
  async function missed(topics: StoredTopic[], lastEventId: number): Promise<{ id: number; event: StoredEvent }[]> {
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
    return withPosts(rows.map((row) => ({ id: row.id, topic: row.topic as StoredTopic, change: row.change as Change })))
  }

  return {
    /** Whether anybody listens to a topic, in this process. */
    hears: (topic: Topic) => [...listeners].some((listener) => listener.topics.has(topic)),

    /** How many connections listen, in this process. */
    size: () => listeners.size,

    /** Tells those who listen in this process of something that is no row. */
    push: (event: RadioEvent) => give({ id: null, event }),

    /** Changes of some topics, first those missed since `lastEventId`, then as they come, until `signal` aborts. */
    async *listen(topics: Topic[], lastEventId: number, from: string, signal: AbortSignal | undefined) {
      const address = addressGroup(from)
      const open = connections.get(address) ?? 0
      if (signal?.aborted) return
      if (closed) throw errors.unavailable('The site is restarting')
      if (open >= CONNECTIONS_PER_ADDRESS) throw errors.tooMany('Too many live connections', { retryAfter: 60 })
      connections.set(address, open + 1)
      const listener: Listener = { topics: new Set(topics), queue: [], wake: () => {}, ended: false }
      listeners.add(listener)
      const abort = () => end(listener)
      signal?.addEventListener('abort', abort)
      try {
        const stored = topics.filter((topic) => !isRadioTopic(topic))
        const replayed = await missed(stored as StoredTopic[], lastEventId)
        const sent = new Set(replayed.map((item) => item.id))
        yield* replayed
        let seen = replayed.reduce((latest, { id }) => Math.max(latest, id), lastEventId)
        while (!listener.ended) {
          for (const { id, event } of listener.queue.splice(0)) {
            if (id !== null && sent.delete(id)) continue
            seen = Math.max(seen, id ?? 0)
            // A browser comes back with the last id it was given: of what has none, that is the last row's.
            yield { id: id ?? seen, event }
          }
          if (listener.queue.length === 0 && !listener.ended) {
            await new Promise<void>((resolve) => {
              listener.wake = resolve
            })
          }
        }
      } finally {
        signal?.removeEventListener('abort', abort)
        listeners.delete(listener)
        const left = (connections.get(address) ?? 1) - 1
        if (left > 0) connections.set(address, left)
        else connections.delete(address)
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

const stale = (topics: StoredTopic[], id: number) => ({
  id,
  event: { topic: topics[0] as StoredTopic, change: { kind: 'stale' as const } },
})
