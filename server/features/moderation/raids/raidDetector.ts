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

/** Counts a post with the statement that stores it. */
export type PostCount = {
  /** @param isStored condition in that statement */
  statements: (isStored: SQL) => ReturnType<typeof raiseLevelWith>
  /** @param level the result of the statement */
  setLevel: (level: number | null) => void
  /** Called when it is known whether the post was stored. */
  settle: (isStored: boolean) => void
}

/** Counts anonymous posts of all processes, and calls `onRaid` if there are too many. */
export function createRaidDetector({ db, now, perMinute, onRaid, onFault }: Deps) {
  const costMs = Math.ceil(60_000 / Math.max(1, perMinute))
  let uncounted = 0
  let isCounting = false

  const bucketFor = (posts: number) => ({
    key: 'raid posts',
    costMs: posts * costMs,
    capacityMs: 2 * perMinute * costMs,
  })
  /** The count falls to zero within a minute. */
  const isRaid = (level: number) => level >= perMinute * costMs

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

  function addUncounted(posts: number): void {
    uncounted += posts
    if (uncounted > 0 && !isCounting) void countAll()
  }

  return {
    /** Counts a post without delaying it. */
    count(): void {
      if (perMinute > 0) addUncounted(1)
    },
    /** Counts a post, and those that wait, when it is stored. Returns null if the detection is off. */
    startCount(): PostCount | null {
      if (perMinute === 0) return null
      const waiting = uncounted
      uncounted = 0
      let level: number | null = null
      return {
        statements: (isStored) => raiseLevelWith(bucketFor(waiting + 1), now(), isStored),
        setLevel(value) {
          level = value
        },
        settle(isStored) {
          if (level === null) addUncounted(isStored ? waiting + 1 : waiting)
          else if (isRaid(level)) onRaid(now()).catch(onFault)
        },
      }
    },
  }
}
