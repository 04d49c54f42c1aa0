import type { Events } from '#db/client.server.ts'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { ModerationChange } from '#src/contract/events.ts'

/** Limits how long a process keeps what ended without an event, such as the key of a ban. */
const MAX_AGE_MS = 60 * 60_000

/** Data that is needed for every write: cached in the process, and reloaded after an event. */
export type LiveState<T> = {
  get: () => Promise<T>
  /** Makes the next `get` reload. Call it after a commit, so that this process does not wait for the event. */
  invalidate: () => void
}

export function createLiveState<T>(
  load: () => Promise<T>,
  clock: () => number = () => performance.now(),
): LiveState<T> {
  let current: { value: Promise<T>; loadedAt: number } | null = null
  return {
    get() {
      if (current && clock() - current.loadedAt < MAX_AGE_MS) return current.value
      // A query of Drizzle runs again each time that it is awaited, so this keeps the promise of its rows.
      const loading = { value: (async () => load())(), loadedAt: clock() }
      current = loading
      loading.value.catch(() => {
        if (current === loading) current = null
      })
      return loading.value
    },
    invalidate() {
      current = null
    },
  }
}

/**
 * Invalidates each state when a process publishes a change of its kind.
 * @returns a function that ends the subscription
 */
export function invalidateLiveStates(
  events: Events,
  states: Partial<Record<ModerationChange['kind'] | 'boards', Pick<LiveState<unknown>, 'invalidate'>>>,
): () => void {
  const invalidateAll = () => {
    for (const state of Object.values(states)) state.invalidate()
  }
  const unsubscribe = events.subscribe((payload) => {
    // Most notifications are about posts, so this check saves parsing them.
    if (!payload.includes('"moderation"') && !payload.includes('"boards"')) return
    for (const { topic, change } of JSON.parse(payload) as PublishedChange[]) {
      if (topic === 'moderation') states[change.kind as ModerationChange['kind']]?.invalidate()
      else if (topic === 'boards') states.boards?.invalidate()
    }
  })
  const unsubscribeReconnect = events.onReconnect(invalidateAll)
  return () => {
    unsubscribe()
    unsubscribeReconnect()
  }
}
