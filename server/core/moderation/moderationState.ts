import type { DatabaseHandle } from '#db/client.server.ts'
import type { Config } from '#server/core/config/config.ts'
import { createEpochs } from './epochs.ts'
import { loadLiveBans } from './liveBans.ts'
import { createBlockedImageLoader } from './liveBlockedImages.ts'
import { createFilterLoader } from './liveFilters.ts'
import { createLiveState, invalidateLiveStates } from './liveState.ts'

export type ModerationState = ReturnType<typeof createModerationState>

/** Creates the state that admission needs for every write. */
export function createModerationState(
  { db, events }: Pick<DatabaseHandle, 'db' | 'events'>,
  { originDays }: Pick<Config, 'originDays'>,
  now: () => Date,
  onFault: (error: unknown) => void = () => {},
) {
  const bans = createLiveState(() => loadLiveBans(db, now()))
  const filters = createLiveState(createFilterLoader(db, onFault))
  const blockedImages = createLiveState(createBlockedImageLoader(db))
  const close = invalidateLiveStates(events, { bans, filters, 'blocked-images': blockedImages })
  return { epochs: createEpochs(db, now, originDays), bans, filters, blockedImages, close }
}
