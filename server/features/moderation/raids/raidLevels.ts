import { LRUCache } from 'lru-cache'
import type { Database } from '#db/client.server.ts'
import { raiseLevel, readLevel, takeTokens } from '#server/core/limits/tokenBuckets.ts'

/** A count of posts that falls with time. All processes share it, because the database stores it. */
export type Level = {
  key: string
  /** time in ms in which the level falls by one post */
  fallMs: number
  max: number
}

const MINUTE_MS = 60_000

// These quotas publish at most 20 posts of attackers in ten minutes: 13 of strangers, and 7 of an exit that they share
// with regulars.

/** The last of these posts is for a stranger with a proof, so that posts without a proof cannot use up the quota. */
export const MAX_STRANGERS = 3
/** A network that posts faster is treated as a stranger: others may have taken it over. */
export const MAX_OF_RANGE = 2

/** Posts by strangers that need no review. */
export const strangers: Level = { key: 'raid strangers', fallMs: MINUTE_MS, max: MAX_STRANGERS }
/** Posts of a network that posted before the raid. */
export const postsOfRange = (range: Uint8Array): Level => ({
  key: `raid range ${Buffer.from(range).toString('base64url')}`,
  fallMs: 2 * MINUTE_MS,
  max: MAX_OF_RANGE,
})

// These quotas bound the posts that wait for a review, and so the work of moderators and the bytes that a raid stores.

/** Posts that resemble others, and those of unknown words. */
export const unlikelyPosts: Level = { key: 'raid unlikely', fallMs: MINUTE_MS / 5, max: 50 }
/** Posts of strangers beyond their quota. */
export const furtherPosts: Level = { key: 'raid further', fallMs: MINUTE_MS / 20, max: 200 }

/** @returns the level in posts, including these posts */
export async function addPosts(db: Database, now: Date, { key, fallMs, max }: Level, posts = 1): Promise<number> {
  return (await raiseLevel(db, now, { key, costMs: posts * fallMs, capacityMs: max * fallMs })) / fallMs
}

export type RaidLevels = ReturnType<typeof createRaidLevels>

/**
 * Creates functions that read and raise levels. They remember when a level falls to zero, because a level that was
 * full stays full until it has fallen: so the refused posts of a raid need no query.
 */
export function createRaidLevels(db: Database, now: () => Date) {
  const emptyAt = new LRUCache<string, number>({ max: 5000 })
  /** Returns how full the level is at least, in posts, or null if it may have room. */
  function knownFull({ key, fallMs, max }: Level): number | null {
    const posts = ((emptyAt.get(key) ?? 0) - now().getTime()) / fallMs
    // Ignores a longer time: it means that the clock was set back.
    return posts > max - 1 && posts <= max ? posts : null
  }
  return {
    /** Adds a post unless the level would exceed `max`. @returns whether it was added */
    async take(level: Level): Promise<boolean> {
      if (knownFull(level) !== null) return false
      const { key, fallMs, max } = level
      const at = now()
      const refusal = await takeTokens(db, at, [{ key, costMs: fallMs, capacityMs: max * fallMs }])
      if (refusal) emptyAt.set(key, at.getTime() + refusal.waitMs + (max - 1) * fallMs)
      return refusal === null
    },
    /** Returns the level in posts. */
    async read(level: Level): Promise<number> {
      return knownFull(level) ?? (await readLevel(db, now(), level.key)) / level.fallMs
    },
  }
}
