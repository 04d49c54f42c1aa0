import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { siteSwitch } from '#db/schema/index.ts'
import { alertModerators } from './alerts.ts'
import { siteActor } from './log.ts'
import { logSwitch, publishSwitches } from './publishSwitches.ts'

const RAID_MS = 30 * 60_000
/** Limits the writes while a raid continues. */
const EXTEND_EVERY_MS = 60_000

/** Switches proofs of work on, or extends them. @returns whether a raid has started */
export function requireProofs(db: Database, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`
  const until = new Date(now.getTime() + RAID_MS)
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(siteSwitch)
      .values({ name: 'proof-of-work', since: now, until })
      .onConflictDoUpdate({
        target: siteSwitch.name,
        set: { since: sql`case when ${siteSwitch.until} <= ${at} then ${at} else ${siteSwitch.since} end`, until },
        // Does not match if an admin switched it on (`until` is null) or off (`until` is `since`) by hand.
        setWhere: sql`${siteSwitch.until} < ${new Date(until.getTime() - EXTEND_EVERY_MS).toISOString()}::timestamptz
          and (${siteSwitch.until} > ${siteSwitch.since} or ${siteSwitch.until} < ${new Date(now.getTime() - RAID_MS).toISOString()}::timestamptz)`,
      })
      .returning()
    if (!row) return false
    const hasStarted = row.since.getTime() === now.getTime()
    if (hasStarted) {
      await logSwitch(tx, now, 'proof-of-work', true, siteActor)
      await alertModerators(tx, now, { kind: 'raid', boardId: null, count: 1 })
    }
    await publishSwitches(tx, now)
    return hasStarted
  })
}
