import { setTimeout as sleep } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { raiseLevel, raiseLevelWith } from '#server/core/limits/tokenBuckets.ts'

/** Posts of this time that were not counted with their own statement are counted together. */
const COUNT_EVERY_MS = 200

export type RaidHandlers = {
  /** Called again at each count while there are too many posts. */
  onRaid: (now: Date) => Promise<unknown>
  onFault: (error: unknown) => void
}

type Deps = RaidHandlers & {
  db: Database
  now: () => Date
  /** posts per minute that start a raid; 0 turns the detection off */
  perMinute: number
}

export type RaidDetector = ReturnType<typeof createRaidDetector>

/** Counts anonymous posts of all processes, and calls `onRaid` if there are too many. */
export function createRaidDetector({ db, now, perMinute, onRaid, onFault }: Deps) {
  const costMs = Math.ceil(60_000 / Math.max(1, perMinute))
  let uncounted = 0
  let isCounting = false

  const bucketFor = (posts: number) => ({
    key: 'raid posts',
    costMs: posts * costMs,
    // A full bucket is a raid: the level could otherwise not be told from a clock that was set back.
    capacityMs: perMinute * costMs,
  })
  /** The count falls to zero within a minute. */
  const isRaid = (level: number) => level >= bucketFor(0).capacityMs

  async function countAll(): Promise<void> {
    isCounting = true
    try {
      while (uncounted > 0) {
        const added = uncounted
        uncounted = 0
        if (isRaid(await raiseLevel(db, now(), bucketFor(added)))) await onRaid(now())
        await sleep(COUNT_EVERY_MS, undefined, { ref: false })
      }
    } catch (error) {
      onFault(error)
    } finally {
      isCounting = false
    }
  }

  /** Counts a post without delaying it. */
  function count(): void {
    if (perMinute === 0) return
    uncounted++
    if (!isCounting) void countAll()
  }

  return {
    count,
    /** Returns the part of a post's statement that counts it, or null if the detection is off. */
    countWith: (isStored: SQL) => (perMinute === 0 ? null : raiseLevelWith(bucketFor(1), now(), isStored)),
    /** @param level the result of `countWith` for a post that was stored; null if another post held the bucket */
    onStored(level: number | null): void {
      if (level === null) count()
      else if (isRaid(level)) onRaid(now()).catch(onFault)
    },
  }
}
