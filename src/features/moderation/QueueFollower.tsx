import { useEffect, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import type { Waiting } from '#src/contract/queue.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { waitingStore } from './waiting.ts'

/** Events follow the first count only once it has arrived. */
const RETRY_MS = 30_000

/** Keeps the count of what waits for a user current. The layout loads it for users only. */
export function QueueFollower({ user: { email, role } }: { user: AuthUser }) {
  const { data, refetch } = usePrivateQuery(
    ['waiting', email, role],
    // If the session has ended, the visitor learns it from what they do, not from this.
    (client) => client.moderation.waiting.query(undefined, { context: { background: true } }),
    { pollMs: (count) => (count === undefined ? RETRY_MS : null) },
  )
  useEffect(() => waitingStore.set(data ?? null), [data])
  useEffect(() => () => waitingStore.set(null), [])
  // Throws, so that a count that failed is tried again.
  const follow = async () => {
    const { error } = await refetch()
    if (error) throw error
  }
  return data ? <Events start={data} refetch={follow} /> : null
}

function Events({ start, refetch }: { start: Waiting; refetch: () => Promise<unknown> }) {
  const [{ topic, lastEventId }] = useState(start)
  useEvents({ topics: [topic], lastEventId, onEvent: (_event, refetchSoon) => refetchSoon(), refetch })
  return null
}
