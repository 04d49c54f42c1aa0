import type { Database } from '#db/client.server.ts'
import { raiseLevel, readLevel } from '#server/core/limits/tokenBuckets.ts'

/** A count of posts that falls with time. All processes share it, because the database stores it. */
export type Level = {
  key: string
  /** time in ms in which the level falls by one post */
  fallMs: number
  max: number
}

const MINUTE_MS = 60_000

/** Proofs of work by strangers that were accepted or too easy. */
export const solvedByStrangers: Level = { key: 'raid solved', fallMs: 2 * MINUTE_MS, max: 10 }
/** Posts of strangers without a proof of work. */
export const unsolvedByStrangers: Level = { key: 'raid unsolved', fallMs: MINUTE_MS, max: 10 }
/** Posts of a network that posted before the raid. */
export const postsOfRange = (range: Uint8Array): Level => ({
  key: `raid range ${Buffer.from(range).toString('base64url')}`,
  fallMs: MINUTE_MS,
  max: 10,
})

/** @returns the level in posts, including these posts */
export async function addPosts(db: Database, now: Date, { key, fallMs, max }: Level, posts = 1): Promise<number> {
  return (await raiseLevel(db, now, { key, costMs: posts * fallMs, capacityMs: max * fallMs })) / fallMs
}

export const readPosts = async (db: Database, now: Date, { key, fallMs }: Level): Promise<number> =>
  (await readLevel(db, now, key)) / fallMs
