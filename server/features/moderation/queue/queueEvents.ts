import type { Transaction } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import {
  isQueueTopic,
  type ModerationChange,
  type QueueChange,
  type QueueEvent,
  type QueueTopic,
  type SiteEvent,
  type Topic,
} from '#src/contract/events.ts'

type Reader = Pick<Services, 'secrets'>

/** Names the topic of the queue's changes. Browsers send no token to the event stream, so they must know the name. */
export const queueTopic = ({ secrets }: Reader): QueueTopic =>
  `queue:${Buffer.from(secrets.queueTopic).toString('hex')}`

/** Tells all processes what has changed. Browsers of moderators learn of the queue; `changeState` does so for posts. */
export const publishModeration = (tx: Transaction, now: Date, kind: (ModerationChange | QueueChange)['kind']) =>
  publish(tx, now, [{ topic: 'moderation', change: { kind } }])

/** Returns the topics to follow for a browser: none for a wrong name of the queue's. */
export const followedTopics = (ctx: Reader, topics: Topic[]): Topic[] =>
  topics.flatMap((topic) => (isQueueTopic(topic) ? (topic === queueTopic(ctx) ? ['moderation'] : []) : [topic]))

/** Removes what browsers of moderators need not know. @returns null for an event that does not change the queue */
export function toBrowserEvent(ctx: Reader, event: SiteEvent): SiteEvent | null {
  if (event.topic !== 'moderation' || event.change.kind === 'stale') return event
  const { kind } = event.change
  return kind === 'queue' || kind === 'bans'
    ? ({ topic: queueTopic(ctx), change: { kind: 'queue' } } satisfies QueueEvent)
    : null
}
