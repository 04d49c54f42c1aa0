import { LRUCache } from 'lru-cache'
import type { DatabaseHandle } from '#db/client.server.ts'
import type { Config } from '#server/core/config/config.ts'
import { createEpochs } from '#server/features/moderation/origins/epochs.ts'
import { createRaidDetector, type RaidHandlers } from '#server/features/moderation/raids/raidDetector.ts'
import { loadSwitches } from './activeSwitches.ts'
import { loadLiveBans } from './liveBans.ts'
import { createBlockedImageLoader } from './liveBlockedImages.ts'
import { createFilterLoader } from './liveFilters.ts'
import { createLiveState, invalidateLiveStates } from './liveState.ts'
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
