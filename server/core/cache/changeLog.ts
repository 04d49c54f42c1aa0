import { LRUCache } from 'lru-cache'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { Change, ModerationChange, StoredTopic } from '#src/contract/events.ts'

/**
 * An event topic that a page, or a value in memory, depends on. `threads` stands for the threads of all boards.
 * Moderation has a tag for each kind of change.
 */
export type Tag = StoredTopic | 'threads' | `moderation:${ModerationChange['kind']}`

/** Limits memory: the number of writers, changed tags and processed events to remember. */
const MAX_REMEMBERED = 5000

/** `time`: when this process learned of the change, in ms */
type LoggedChange = { revision: number; time: number }

/**
 * Counts changes. The current count is the revision. A page is stale if one of its tags changed after the revision at
 * which the page was rendered.
 */
export function createChangeLog(now: () => number = Date.now) {
  let revision = 0
  /** The log may lack changes before this one, so pages rendered before are stale. */
  let expired: LoggedChange = { revision: 0, time: now() }
  const changes = new Map<Tag, LoggedChange>()
  const wroteAt = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  const processedEvents = new LRUCache<number, true>({ max: MAX_REMEMBERED })

  function record({ topic, change, by }: PublishedChange): void {
    revision++
    const time = now()
    if (by) wroteAt.set(by, revision)
    for (const tag of tagsOf(topic, change)) changes.set(tag, { revision, time })
    if (changes.size > MAX_REMEMBERED) expireAll()
  }

  /** Forgets all changes, and makes all pages stale. */
  function expireAll(): void {
    changes.clear()
    expired = { revision: ++revision, time: now() }
  }

  return {
    revision: () => revision,

    /** Returns the revision of the last change to any of these tags. */
    lastChange: (tags: readonly Tag[]): number =>
      tags.reduce((latest, tag) => Math.max(latest, changes.get(tag)?.revision ?? 0), expired.revision),

    /** Returns a time since which none of these tags changed, in ms. */
    unchangedSince: (tags: readonly Tag[]): number =>
      tags.reduce((latest, tag) => Math.max(latest, changes.get(tag)?.time ?? 0), expired.time),

    /** Returns the revision of a visitor's last write, or 0. Computes the hash only if the log has writes. */
    lastWrite: (visitorHash: () => string): number => (wroteAt.size > 0 ? (wroteAt.get(visitorHash()) ?? 0) : 0),

    /** Records each event once: the process that wrote a change receives its event twice. @returns the new events */
    recordOnce(events: PublishedChange[]): PublishedChange[] {
      const fresh = events.filter(({ id }) => !processedEvents.has(id))
      for (const event of fresh) {
        processedEvents.set(event.id, true)
        record(event)
      }
      return fresh
    },

    /** Records changes whose commit is uncertain. If their events arrive later, records them again. */
    recordUncommitted(events: PublishedChange[]): void {
      for (const event of events) record(event)
    },

    expireAll,
  }
}

function tagsOf(topic: StoredTopic, { kind }: Change): Tag[] {
  if (topic === 'moderation') return [`moderation:${kind as ModerationChange['kind']}`]
  return topic.startsWith('board:') ? [topic, 'threads'] : [topic]
}
