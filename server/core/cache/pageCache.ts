import { setTimeout as sleep } from 'node:timers/promises'
import type { Numbered } from '#server/core/events/event.ts'
import type { StoredTopic } from '#src/contract/live.ts'
import { type Page, pageOf, type Rendered } from './cachedPage.ts'
import { createShelf } from './taggedLru.ts'

/** What a page shows: a topic of changes, or the threads of all boards together. */
export type Tag = StoredTopic | 'threads'
/** A page by its one name; noise of an address is no part of it. */
export type PageName = {
  key: string
  /** there are as many such pages as somebody cares to ask for: they share a small part of the memory */
  endless: boolean
  tags: readonly Tag[]
  /** ms; it may change in ways nobody is told of */
  maxAge: number
  /** a failure is what it shows then, and not the page of before */
  tellsFailure: boolean
  /** its readers have the previous version, so a request waits for the version after the last change */
  awaited: boolean
}
type Entry = Page & { tags: readonly Tag[]; begun: number; stale: boolean; freshUntil: number; restsUntil: number }
type Flight = { begun: number; page: Promise<Page>; next?: Promise<Page> }

export type PageCache = ReturnType<typeof createPageCache>

/** ms; who comes upon an old page and begins a new one waits no longer than this for it, and who has just written */
const PATIENCE = 1000
const PATIENCE_OF_WRITER = 5000
/** ms without another try after one that failed */
const REST = 2000
/** Guards memory: so many writers are remembered, and so many changes known to have been heard already. */
const REMEMBERED = 5000

/**
 * Finished pages in memory. Each is rendered once however many ask; while it is rendered anew the others get the one of
 * a moment ago, but who has just written waits for what has it. Changes mark pages stale by their tags.
 * @param bytes most that is kept, all encodings together; none: nothing is
 */
export function createPageCache({ bytes, clock = () => performance.now() }: { bytes: number; clock?: () => number }) {
  const shelves = { few: createShelf<Entry>((bytes * 3) / 4), endless: createShelf<Entry>(bytes / 4) }
  const flights = new Map<string, Flight>()
  /** Changes are counted: a page is as new as the count was when its rendering began. */
  let count = 0
  /** the count at a tag's last change, as long as pages are being rendered that may have missed it */
  const changedAt = new Map<Tag, number>()
  let allChangedAt = 0
  const wroteAt = new Map<string, number>()
  const heard = new Set<number>()
  const counters = { hits: 0, stale: 0, misses: 0, failures: 0 }

  const lastChange = (tags: readonly Tag[]) =>
    tags.reduce((latest, tag) => Math.max(latest, changedAt.get(tag) ?? 0), allChangedAt)

  /** The flight under way, where it began late enough for who asks; otherwise one after it. */
  function join(name: PageName, since: number, render: () => Promise<Rendered>): Promise<Page> {
    const flight = flights.get(name.key)
    if (!flight) return take(name, render)
    if (flight.begun >= since) return flight.page
    const over = flight.page.then(
      () => {},
      () => {},
    )
    flight.next ??= over.then(() => flights.get(name.key)?.page ?? take(name, render))
    return flight.next
  }

  function take(name: PageName, render: () => Promise<Rendered>): Promise<Page> {
    counters.misses++
    const flight: Flight = { begun: count, page: render().then((rendered) => settle(name, flight.begun, rendered)) }
    const end = () => {
      flights.delete(name.key)
      if (flights.size === 0) changedAt.clear()
    }
    flights.set(name.key, flight)
    flight.page = flight.page.catch((error) => settleFailure(name, error)).finally(end)
    return flight.page
  }

  function settle(name: PageName, begun: number, rendered: Rendered): Page {
    const shelf = shelfOf(name)
    if (rendered.outcome === 'failed') return orBefore(name, () => pageOf(rendered))
    if (rendered.outcome === 'passing') {
      shelf.delete(name.key)
      return pageOf(rendered)
    }
    const page = pageOf(rendered, (more) => shelf.grow(name.key, page, more))
    const stale = lastChange(name.tags) > begun
    const entry: Entry = Object.assign(page, {
      tags: name.tags,
      begun,
      stale,
      freshUntil: clock() + name.maxAge,
      restsUntil: 0,
    })
    shelf.set(name.key, entry, page.body.length)
    return entry
  }

  const settleFailure = (name: PageName, error: unknown): Page =>
    orBefore(name, () => {
      throw error
    })

  function orBefore(name: PageName, otherwise: () => Page): Page {
    counters.failures++
    const shelf = shelfOf(name)
    if (name.tellsFailure) shelf.delete(name.key)
    const before = shelf.get(name.key)
    if (!before) return otherwise()
    before.restsUntil = clock() + REST
    return before
  }

  const shelfOf = ({ endless }: PageName) => (endless ? shelves.endless : shelves.few)

  function mark({ topic, by }: Numbered): void {
    count++
    if (by) {
      wroteAt.delete(by)
      wroteAt.set(by, count)
      if (wroteAt.size > REMEMBERED) forgetFirst(wroteAt)
    }
    const tags = tagsOf(topic)
    for (const tag of tags) if (flights.size > 0) changedAt.set(tag, count)
    for (const shelf of Object.values(shelves)) shelf.each(tags, markStale)
  }

  return {
    /**
     * The page of a name, from memory or rendered.
     * @param visitor asks who asks, by their mark; only where that makes a difference
     * @throws whatever rendering throws, where there is no page of before
     */
    async read(name: PageName, visitor: () => string, render: () => Promise<Rendered>): Promise<Page> {
      const entry = shelfOf(name).get(name.key)
      if (!entry) return join(name, lastChange(name.tags), render)
      const time = clock()
      if (!entry.stale && time < entry.freshUntil) {
        counters.hits++
        return entry
      }
      const wrote = wroteAt.size > 0 ? (wroteAt.get(visitor()) ?? 0) : 0
      // The own post at once, but not for the price of no page at all where the database hangs.
      if (wrote > entry.begun) return orAfter(PATIENCE_OF_WRITER, entry, join(name, wrote, render))
      counters.stale++
      if (time < entry.restsUntil) return entry
      if (name.awaited) return orAfter(PATIENCE_OF_WRITER, entry, join(name, lastChange(name.tags), render))
      if (flights.has(name.key)) return entry
      return orAfter(PATIENCE, entry, take(name, render))
    },

    /** Whether a page is in memory, fresh or not. */
    holds: (name: PageName): boolean => shelfOf(name).get(name.key) !== undefined,

    /** A page that is in memory and fresh, at once; who sends it counts it. */
    fresh(key: string): Page | undefined {
      const entry = shelves.few.get(key) ?? shelves.endless.get(key)
      return entry && !entry.stale && clock() < entry.freshUntil ? entry : undefined
    },

    countHit(): void {
      counters.hits++
    },

    /** Marks stale what shows one of these changes; each is heard of twice in the process that made it. */
    changed(changes: Numbered[]): void {
      for (const change of changes) {
        if (heard.has(change.id)) continue
        remember(heard, change.id)
        mark(change)
      }
    },

    /** Marks the same stale for changes that may be there only later: when they are, they are heard of as new ones. */
    maybeChanged(changes: Numbered[]): void {
      for (const change of changes) mark(change)
    },

    /** Drops everything: changes may have been missed. */
    clear(): void {
      allChangedAt = ++count
      for (const shelf of Object.values(shelves)) shelf.clear()
    },

    /** What is kept now, and how requests were answered since the start. */
    stats() {
      const all = Object.values(shelves)
      const sum = (of: (shelf: (typeof all)[number]) => number) => all.reduce((total, shelf) => total + of(shelf), 0)
      return { entries: sum((shelf) => shelf.size()), bytes: sum((shelf) => shelf.bytes()), ...counters }
    },
  }
}

const orAfter = (ms: number, before: Page, page: Promise<Page>): Promise<Page> =>
  Promise.race([page, sleep(ms, before, { ref: false })])

const markStale = (entry: Entry) => {
  entry.stale = true
}

const tagsOf = (topic: StoredTopic): Tag[] => (topic.startsWith('board:') ? [topic, 'threads'] : [topic])

function remember(set: Set<number>, id: number): void {
  set.add(id)
  if (set.size > REMEMBERED) forgetFirst(set)
}

/** The oldest of a map or set: they keep the order in which their keys came. */
function forgetFirst<K>(collection: { keys(): Iterator<K>; delete(key: K): unknown }): void {
  collection.delete(collection.keys().next().value as K)
}
