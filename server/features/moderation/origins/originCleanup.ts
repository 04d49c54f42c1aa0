import { gt, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { allowance, ban, origin, originEpoch, posterLabelKey } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { eraseWriteAheadLog } from '#server/core/jobs/vacuum.ts'
import { epochEnd } from './epochs.ts'

/** Limits how long posts wait if a long query blocks the rewrite. The job then tries again an hour later. */
const LOCK_TIMEOUT = '2s'

/**
 * Erases the data that could reveal a poster of an ended epoch: origins, keys of labels, other keys that no live ban needs,
 * ended bans, and the rate limits, whose names contain hashes of networks.
 */
export async function endOriginEpochs({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>): Promise<void> {
  const isCurrent = gt(originEpoch.startedAt, epochEnd(now(), -config.originDays))
  const currentIds = db.select({ id: originEpoch.id }).from(originEpoch).where(isCurrent)
  const liveBans = db.select({ id: ban.epochId }).from(ban).where(gt(ban.endsAt, now()))
  const isKept = or(isCurrent, inArray(originEpoch.id, liveBans))
  const [found] = await db.execute<{ ended: boolean }>(sql`select
    exists (select from ${originEpoch} where not (${isKept})) or
    exists (select from ${origin} where ${notInArray(origin.epochId, currentIds)}) or
    exists (select from ${posterLabelKey} where ${notInArray(posterLabelKey.epochId, currentIds)}) or
    exists (select from ${ban} where ${lte(ban.endsAt, now())}) as ended`)
  if (!found?.ended) return
  // Deleted rows would stay readable in the tables' files. TRUNCATE replaces the files, in one transaction.
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`)
    await tx.execute(
      sql`lock table ${originEpoch}, ${posterLabelKey}, ${origin}, ${ban}, ${allowance} in access exclusive mode`,
    )
    const epochs = await tx.select().from(originEpoch).where(isKept)
    const labelKeys = await tx.select().from(posterLabelKey).where(inArray(posterLabelKey.epochId, currentIds))
    const bans = await tx.select().from(ban).where(gt(ban.endsAt, now()))
    await tx.execute(
      sql`create temp table kept_origin on commit drop as select * from ${origin} where ${inArray(origin.epochId, currentIds)}`,
    )
    await tx.execute(sql`truncate ${originEpoch}, ${posterLabelKey}, ${origin}, ${ban}, ${allowance}`)
    if (epochs.length > 0) await tx.insert(originEpoch).values(epochs)
    if (labelKeys.length > 0) await tx.insert(posterLabelKey).values(labelKeys)
    await tx.execute(sql`insert into ${origin} select * from kept_origin`)
    for (const row of bans) await tx.insert(ban).values(row)
  })
  await eraseWriteAheadLog({ db, config })
}
