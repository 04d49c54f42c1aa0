import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#db/client.server.ts'
import { raiseLevel } from '#server/core/limits/tokenBuckets.ts'

/** Posts of this time are counted with one statement, so that counting costs little. */
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

  async function countAll(): Promise<void> {
    isCounting = true
    try {
      while (uncounted > 0) {
        const added = uncounted
        uncounted = 0
        const bucket = { key: 'raid posts', costMs: added * costMs, capacityMs: 2 * perMinute * costMs }
        // The count falls to zero within a minute.
        if ((await raiseLevel(db, now(), bucket)) >= perMinute * costMs) await onRaid(now())
        await sleep(COUNT_EVERY_MS, undefined, { ref: false })
      }
    } catch (error) {
      onFault(error)
    } finally {
      isCounting = false
    }
  }

  return {
    /** Counts a post without delaying it. */
    count(): void {
      if (perMinute === 0) return
      uncounted++
      if (!isCounting) void countAll()
    },
  }
}
