import { randomBytes } from 'node:crypto'
import { desc, eq, gt, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { allowance, ban, origin, originEpoch, posterLabelKey } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { eraseWriteAheadLog } from '#server/core/jobs/vacuum.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const KEY_BYTES = 32
/** Advisory lock of the transaction that starts an epoch. */
const EPOCH_LOCK = 7_305_113

type Epoch = { id: number; key: Uint8Array; labelKey: Uint8Array; endsAt: Date }

const epochEnd = (startedAt: Date, days: number): Date => new Date(startedAt.getTime() + days * DAY_MS)

/** Caches the key of the current epoch until the epoch ends. @param days length of an epoch; 0 stores no origins */
export function createEpochs(db: Database, now: () => Date, days: number) {
  let current: Epoch | null = null
  let starting: Promise<Epoch> | null = null
  return {
    async current(): Promise<Epoch | null> {
      if (days === 0) return null
      if (current && now() < current.endsAt) return current
      starting ??= findOrStartEpoch(db, now(), days).finally(() => {
        starting = null
      })
      current = await starting
      return current
    },
  }
}

async function findOrStartEpoch(db: Database, now: Date, days: number): Promise<Epoch> {
  const found = await findEpoch(db, now, days)
  if (found) return found
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${EPOCH_LOCK})`)
    const startedByOther = await findEpoch(tx, now, days)
    if (startedByOther) return startedByOther
    // A restored epoch, which a ban kept, has no key of labels.
    const [restored] = await selectLatest(tx, now, days)
    const epoch = { key: createKey(), startedAt: now }
    const [started] = restored ? [restored] : await tx.insert(originEpoch).values(epoch).returning()
    if (!started) throw new Error('The new epoch was not stored')
    const labelKey = createKey()
    await tx.insert(posterLabelKey).values({ epochId: started.id, key: labelKey })
    return { ...started, labelKey, endsAt: epochEnd(started.startedAt, days) }
  })
}

const createKey = () => new Uint8Array(randomBytes(KEY_BYTES))

function selectLatest(db: Database | Transaction, now: Date, days: number) {
  const isCurrent = gt(originEpoch.startedAt, epochEnd(now, -days))
  return db.select().from(originEpoch).where(isCurrent).orderBy(desc(originEpoch.startedAt)).limit(1)
}

async function findEpoch(db: Database | Transaction, now: Date, days: number): Promise<Epoch | null> {
  const [row] = await selectLatest(db, now, days)
  if (!row) return null
  const [label] = await db.select().from(posterLabelKey).where(eq(posterLabelKey.epochId, row.id))
  return label ? { ...row, labelKey: label.key, endsAt: epochEnd(row.startedAt, days) } : null
}

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
