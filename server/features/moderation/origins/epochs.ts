import { randomBytes } from 'node:crypto'
import { desc, eq, gt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { originEpoch, posterLabelKey } from '#db/schema/index.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const KEY_BYTES = 32
/** Advisory lock of the transaction that starts an epoch. */
const EPOCH_LOCK = 7_305_113

export type Epoch = { id: number; key: Uint8Array; labelKey: Uint8Array; endsAt: Date }

export const epochEnd = (startedAt: Date, days: number): Date => new Date(startedAt.getTime() + days * DAY_MS)

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
    const started = (await findLatest(tx, now, days)) ?? (await startEpoch(tx, now))
    const labelKey = createKey()
    await tx.insert(posterLabelKey).values({ epochId: started.id, key: labelKey })
    return { ...started, labelKey, endsAt: epochEnd(started.startedAt, days) }
  })
}

const createKey = () => new Uint8Array(randomBytes(KEY_BYTES))

async function startEpoch(tx: Transaction, now: Date) {
  const [started] = await tx.insert(originEpoch).values({ key: createKey(), startedAt: now }).returning()
  if (!started) throw new Error('The new epoch was not stored')
  return started
}

async function findLatest(db: Database | Transaction, now: Date, days: number) {
  const [row] = await db
    .select()
    .from(originEpoch)
    .where(gt(originEpoch.startedAt, epochEnd(now, -days)))
    .orderBy(desc(originEpoch.startedAt))
    .limit(1)
  return row ?? null
}

async function findEpoch(db: Database | Transaction, now: Date, days: number): Promise<Epoch | null> {
  const row = await findLatest(db, now, days)
  if (!row) return null
  const [label] = await db.select().from(posterLabelKey).where(eq(posterLabelKey.epochId, row.id))
  return label ? { ...row, labelKey: label.key, endsAt: epochEnd(row.startedAt, days) } : null
}
