import { createHmac } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { origin, originEpoch } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { rangeOf, visitorNetwork } from '#server/core/limits/networks.ts'
import type { BanWidth, OriginKind } from '#src/contract/bans.ts'

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
 * Creates the statement that stores the origin of a new item, as a part of the item's statement. Replaces the origin of
 * an item that was deleted and is stored again.
 * @param itemId query of the item's id, with one row if the item is stored
 */
export function insertOrigin(from: VisitorOrigin | null, kind: OriginKind, itemId: SQL): SQL {
  if (!from) return sql`select`
  // The lock prevents a foreign key error if the job deletes the epoch at the same time.
  return sql`insert into ${origin} (kind, item_id, epoch_id, host, range)
    select ${kind}, item.id, epoch.id, ${sql.param(from.host, origin.host)}, ${sql.param(from.range, origin.range)}
    from (${itemId}) as item(id),
      (select id from ${originEpoch} where ${originEpoch.id} = ${from.epochId} for key share) as epoch
    on conflict (kind, item_id)
      do update set epoch_id = excluded.epoch_id, host = excluded.host, range = excluded.range`
}

/** Keyed hashes of a visitor's networks. */
type OriginHashes = Record<BanWidth, Uint8Array>

/** @returns null if the address is unknown, because the client has already disconnected */
export function hashOrigin(key: Uint8Array, address: string): OriginHashes | null {
  const [host, range] = [visitorNetwork(address), rangeOf(address)]
  if (range === null) return null
  return { host: hmac(key, `host\n${host}`), range: hmac(key, `range\n${range}`) }
}

const hmac = (key: Uint8Array, text: string) => new Uint8Array(createHmac('sha256', key).update(text).digest())

/** The same length as the ids of 4chan. */
const LABEL_LENGTH = 8

/** Returns the secret from which a host's labels of all threads follow. Nobody can repeat it when the key is destroyed. */
const createLabelKey = (key: Uint8Array, host: Uint8Array): Uint8Array =>
  new Uint8Array(createHmac('sha256', key).update('thread label\n').update(host).digest())

/**
 * Returns the label of a host in a thread, in SQL, because the number of a new thread is known only there. A hash of a
 * secret key and a number of fixed length needs no HMAC.
 */
export const labelInThread = (labelKey: Uint8Array, threadId: SQL): SQL<string> =>
  sql`left(encode(sha256(${sql.param(labelKey, origin.host)}::bytea || int8send(${threadId})), 'base64'), ${LABEL_LENGTH}::int)`
