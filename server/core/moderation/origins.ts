import { type SQL, sql } from 'drizzle-orm'
import { origin, originEpoch } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { OriginKind } from '#src/contract/moderation.ts'
import { hashOrigin, type OriginHashes } from './originHashes.ts'
import { createLabelKey } from './threadLabels.ts'

export type VisitorOrigin = OriginHashes & {
  epochId: number
  /** key of the labels of this host's posts */
  labelKey: Uint8Array
}

/** @returns null if the site stores no origins or the address is unknown */
export async function currentOrigin({ moderation, address }: Context): Promise<VisitorOrigin | null> {
  const epoch = await moderation.epochs.current()
  const hashes = epoch && hashOrigin(epoch.key, address)
  return hashes && { epochId: epoch.id, ...hashes, labelKey: createLabelKey(epoch.labelKey, hashes.host) }
}

/**
 * Creates the statement that stores the origin of a new item, as a part of the item's statement.
 * @param itemId query of the item's id, with one row if the item is stored
 */
export function insertOrigin(from: VisitorOrigin | null, kind: OriginKind, itemId: SQL): SQL {
  if (!from) return sql`select`
  // The lock prevents a foreign key error if the job deletes the epoch at the same time.
  return sql`insert into ${origin} (kind, item_id, epoch_id, host, range)
    select ${kind}, item.id, epoch.id, ${sql.param(from.host, origin.host)}, ${sql.param(from.range, origin.range)}
    from (${itemId}) as item(id),
      (select id from ${originEpoch} where ${originEpoch.id} = ${from.epochId} for key share) as epoch`
}
