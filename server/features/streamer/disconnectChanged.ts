import { eq, sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'

/**
 * Disconnects the sources of streamers whose account any process, or a command, disabled, removed or gave a new password.
 * @returns a function that ends the subscription
 */
export function disconnectChangedStreamers(
  { db, events }: Pick<DatabaseHandle, 'db' | 'events'>,
  live: Pick<LiveSources, 'disconnectUser' | 'disconnect' | 'sources'>,
  onFault: (error: unknown) => void,
): () => void {
  const unsubscribe = events.subscribe((payload) => {
    // Most notifications are about posts, so this check saves parsing them.
    if (!payload.includes('"streamers"')) return
    for (const { change } of JSON.parse(payload) as PublishedChange[]) {
      if (change.kind === 'streamer') live.disconnectUser(change.userId)
    }
  })
  const unsubscribeReconnect = events.onReconnect(() => void disconnectMissed().catch(onFault))

  /** Applies changes that this process missed. A source that connected after a change has the new password. */
  async function disconnectMissed(): Promise<void> {
    const changes = await db
      .select({ userId: sql<string>`${event.change} ->> 'userId'`, createdAt: event.createdAt })
      .from(event)
      .where(eq(event.topic, 'streamers'))
    for (const { id, streamer, connectedAt } of live.sources()) {
      const isOutdated = changes.some(({ userId, createdAt }) => userId === streamer.userId && createdAt >= connectedAt)
      if (isOutdated) live.disconnect(id)
    }
  }

  return () => {
    unsubscribe()
    unsubscribeReconnect()
  }
}
