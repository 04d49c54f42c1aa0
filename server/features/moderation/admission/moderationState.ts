import { LRUCache } from 'lru-cache'
import type { DatabaseHandle, Events } from '#db/client.server.ts'
import type { Config } from '#server/core/config/config.ts'
import type { PublishedChange } from '#server/core/events/event.ts'
import { createEpochs } from '#server/features/moderation/origins/epochs.ts'
import { createRaidDetector, type RaidHandlers } from '#server/features/moderation/raids/raidDetector.ts'
import type { ModerationChange } from '#src/contract/events.ts'
import { loadSwitches } from './activeSwitches.ts'
import { loadLiveBans } from './liveBans.ts'
import { createFilterLoader } from './liveFilters.ts'
import { createBlockedImageLoader } from './matchImages.ts'
import { createRecentPosts } from './recentPosts.ts'

declare module '#server/core/context.ts' {
  interface Services {
    moderation: ReturnType<typeof createModerationState>
  }
}

/** Creates the state that admission needs for every write. */
export function createModerationState(
  { db, events }: Pick<DatabaseHandle, 'db' | 'events'>,
  { originDays, raidPostsPerMinute }: Pick<Config, 'originDays' | 'raidPostsPerMinute'>,
  now: () => Date,
  raidHandlers: RaidHandlers = { onRaid: async () => {}, onFault: () => {} },
) {
  const bans = createLiveState(() => loadLiveBans(db, now()))
  const switches = createLiveState(() => loadSwitches(db))
  const filters = createLiveState(createFilterLoader(db, raidHandlers.onFault))
  const blockedImages = createLiveState(createBlockedImageLoader(db))
  // Filters skip the names of boards.
  const close = invalidateLiveStates(events, {
    bans,
    filters,
    switches,
    'blocked-images': blockedImages,
    boards: filters,
  })
  return {
    epochs: createEpochs(db, now, originDays),
    bans,
    filters,
    blockedImages,
    switches,
    raid: createRaidDetector({ db, now, perMinute: raidPostsPerMinute, ...raidHandlers }),
    recentPosts: createRecentPosts(now),
    /** whether hosts are regulars; a removed post counts after the time to live */
    regulars: new LRUCache<string, boolean>({ max: 5000, ttl: 60_000 }),
    close,
  }
}

/** Limits how long a process keeps what ended without an event, such as the key of a ban. */
const MAX_AGE_MS = 60 * 60_000

/** Data that is needed for every write: cached in the process, and reloaded after an event. */
export type LiveState<T> = {
  get: () => Promise<T>
  /** Makes the next `get` reload. Call it after a commit, so that this process does not wait for the event. */
  invalidate: () => void
}

function createLiveState<T>(load: () => Promise<T>): LiveState<T> {
  let current: { value: Promise<T>; loadedAt: number } | null = null
  return {
    get() {
      if (current && performance.now() - current.loadedAt < MAX_AGE_MS) return current.value
      // A query of Drizzle runs again each time that it is awaited, so this keeps the promise of its rows.
      const loading = { value: (async () => load())(), loadedAt: performance.now() }
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
function invalidateLiveStates(
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
