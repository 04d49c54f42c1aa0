import { LRUCache } from 'lru-cache'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { StoredTopic } from '#src/contract/events.ts'

/** An event topic that a page shows, or the threads of all boards. */
export type Tag = StoredTopic | 'threads'

/** Guards memory: the most writers, changed tags and processed events that are remembered. */
const MAX_REMEMBERED = 5000

/**
 * Counts changes. The count is the revision: a page rendered at a revision is stale if one of its tags changed at a
 * later one.
 */
export function createChangeLog() {
  let revision = 0
  /** Pages of earlier revisions are stale, because the changes since then are not all known. */
  let oldestRevision = 0
  const changedAt = new LRUCache<Tag, number>({
    max: MAX_REMEMBERED,
    dispose: (at, _tag, reason) => {
      if (reason === 'evict') oldestRevision = Math.max(oldestRevision, at)
    },
  })
  const wroteAt = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  const processedEvents = new LRUCache<number, true>({ max: MAX_REMEMBERED })

  function record({ topic, by }: PublishedChange): void {
    revision++
    if (by) wroteAt.set(by, revision)
    for (const tag of tagsOf(topic)) changedAt.set(tag, revision)
  }

  return {
    revision: () => revision,

    /** Returns the revision of the last change to one of these tags. */
    lastChange: (tags: readonly Tag[]): number =>
      tags.reduce((latest, tag) => Math.max(latest, changedAt.peek(tag) ?? 0), oldestRevision),

    /** Returns the revision of a visitor's last write, or 0. The hash is not computed while no write is known. */
    lastWrite: (visitorHash: () => string): number => (wroteAt.size > 0 ? (wroteAt.get(visitorHash()) ?? 0) : 0),

    /** Records each event once. The process that wrote a change receives its event twice. */
    recordOnce(events: PublishedChange[]): void {
      for (const event of events) {
        if (processedEvents.has(event.id)) continue
        processedEvents.set(event.id, true)
        record(event)
      }
    },

    /** Records changes that are possibly not committed: their events still count as new when they arrive. */
    recordUncommitted(events: PublishedChange[]): void {
      for (const event of events) record(event)
    },

    /** Makes all pages stale. */
    expireAll(): void {
      oldestRevision = ++revision
    },
  }
}

const tagsOf = (topic: StoredTopic): Tag[] => (topic.startsWith('board:') ? [topic, 'threads'] : [topic])
