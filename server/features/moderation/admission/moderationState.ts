import { asc, eq } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { filter, siteSwitch } from '#db/schema/index.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Tag } from '#server/core/cache/changeLog.ts'
import type { Services } from '#server/core/context.ts'
import { createBoardCheck } from '#server/features/board/boards/boards.ts'
import { createEpochs } from '#server/features/moderation/origins/epochs.ts'
import { createRaidDetector, type RaidHandlers } from '#server/features/moderation/raids/raidDetector.ts'
import { loadBlockedImages } from '#server/features/moderation/rules/blockedImages.ts'
import { type CompiledFilters, compileFilters } from './compileFilters.ts'
import { loadLiveBans } from './liveBans.ts'
import { createRecentPosts } from './recentPosts.ts'

declare module '#server/core/context.ts' {
  interface Services {
    moderation: ReturnType<typeof createModerationState>
  }
}

/** Limits how long a process keeps what ended without an event, such as the key of a ban. */
const MAX_AGE_MS = 60 * 60_000

/** Creates the state that admission needs for every write: in memory, and read again after a change. */
export function createModerationState(
  { db, cache, config, now, knownBoards }: Pick<Services, 'db' | 'cache' | 'config' | 'now' | 'knownBoards'>,
  raidHandlers: RaidHandlers = { onRaid: async () => {}, onFault: () => {} },
) {
  const untilChange = <T>(read: () => Promise<T>, ...tags: Tag[]) =>
    cacheFor(MAX_AGE_MS, read, { version: () => cache.lastChange(tags) })
  const filters = untilChange(() => loadFilters(db, raidHandlers.onFault), 'moderation:filters')
  return {
    epochs: createEpochs(db, now, config.originDays),
    bans: untilChange(() => loadLiveBans(db, now()), 'moderation:bans'),
    // Filters skip the names of boards.
    filters: async (): Promise<CompiledFilters> => ({
      ...(await filters()),
      isBoard: await createBoardCheck(knownBoards),
    }),
    blockedImages: untilChange(() => loadBlockedImages(db), 'moderation:blocked-images'),
    switches: untilChange(async () => db.select().from(siteSwitch), 'moderation:switches'),
    raid: createRaidDetector({ db, now, perMinute: config.raidPostsPerMinute, ...raidHandlers }),
    recentPosts: createRecentPosts(now),
  }
}

/** Loads and compiles the enabled filters. */
async function loadFilters(db: Database, onFault: (error: unknown) => void): Promise<CompiledFilters> {
  const rows = await db.select().from(filter).where(eq(filter.enabled, true)).orderBy(asc(filter.id))
  return compileFilters(rows, (_filter, error) => onFault(error))
}
