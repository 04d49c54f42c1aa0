import { createHmac } from 'node:crypto'
import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { origin, originEpoch, post, thread } from '#db/schema/index.ts'
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

const hmac = (key: Uint8Array, text: string, host: Uint8Array = new Uint8Array()) =>
  new Uint8Array(createHmac('sha256', key).update(text).update(host).digest())

/** The same length as the ids of 4chan. */
const LABEL_LENGTH = 8

/** Returns the secret from which a host's labels of all threads follow. Nobody can repeat it when the key is destroyed. */
const createLabelKey = (key: Uint8Array, host: Uint8Array) => hmac(key, 'thread label\n', host)

/**
 * Returns the label of a host in a thread, in SQL, because the number of a new thread is known only there. A hash of a
 * secret key and a number of fixed length needs no HMAC.
 */
export const labelInThread = (labelKey: Uint8Array, threadId: SQL): SQL<string> =>
  sql`left(encode(sha256(${sql.param(labelKey, origin.host)}::bytea || int8send(${threadId})), 'base64'), ${LABEL_LENGTH}::int)`

/** Letters and digits that are hard to confuse. */
const LABEL_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const POSTER_LABEL_LENGTH = 6

/** `boardId` is null for the whole site. */
type PosterScope = { boardId: string | null; width: BanWidth }

/** Returns a short name of a poster. On another board, and in another epoch, the same poster has another name. */
export function posterLabel(key: Uint8Array, host: Uint8Array, boardId: string | null): string {
  const scope = boardId === null ? 'site' : `board ${boardId}`
  const digest = hmac(key, `label\n${scope}\n`, host).subarray(0, POSTER_LABEL_LENGTH)
  return Array.from(digest, (byte) => LABEL_LETTERS[byte % LABEL_LETTERS.length]).join('')
}

/** @returns the labels by post id, each for its board; posts without a stored origin are missing */
export async function labelPosts(
  db: Database | Transaction,
  posts: { id: number; boardId: string | null }[],
): Promise<Map<number, string>> {
  if (posts.length === 0) return new Map()
  const boards = new Map(posts.map(({ id, boardId }) => [String(id), boardId]))
  const rows = await selectOrigins(db, 'post', [...boards.keys()])
  const labelOf = ({ itemId, host, key }: (typeof rows)[number]) => posterLabel(key, host, boards.get(itemId) ?? null)
  return new Map(rows.map((row) => [Number(row.itemId), labelOf(row)]))
}

/** Returns the label of the poster of an item, or null if the item has no stored origin. */
export async function labelItem(
  db: Database | Transaction,
  kind: OriginKind,
  itemId: string,
  boardId: string | null,
): Promise<string | null> {
  const from = await findOrigin(db, kind, itemId)
  return from && posterLabel(from.key, from.host, boardId)
}

/** @returns null if the item has no stored origin, because its epoch is over or the site stores none */
export async function findOrigin(db: Database | Transaction, kind: OriginKind, itemId: string) {
  const [row] = await selectOrigins(db, kind, [itemId])
  return row ?? null
}

const selectOrigins = (db: Database | Transaction, kind: OriginKind, itemIds: string[]) =>
  db
    .select({ ...getTableColumns(origin), key: originEpoch.key })
    .from(origin)
    .innerJoin(originEpoch, eq(originEpoch.id, origin.epochId))
    .where(and(eq(origin.kind, kind), inArray(origin.itemId, itemIds)))

/**
 * Lists the ids of all live and held posts from the same host or range as a post, oldest first. The post itself may
 * have any state. @returns an empty list if the post has no stored origin
 */
export async function listByPoster(
  db: Database | Transaction,
  { postId, boardId, width }: { postId: number } & PosterScope,
): Promise<number[]> {
  const from = await findOrigin(db, 'post', String(postId))
  if (!from) return []
  const isInScope = boardId === null ? undefined : eq(thread.boardId, boardId)
  const rows = await db
    .select({ id: post.id })
    .from(origin)
    .innerJoin(post, eq(post.id, postNumber))
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(eq(origin[width], from[width]), sql`${post.state} in ('live', 'held')`, isInScope))
    .orderBy(asc(post.id))
  return rows.map(({ id }) => id)
}

/** The number of a post's origin; null for pastes and images, whose ids are not numbers. */
export const postNumber: SQL<number> = sql`case when ${origin.kind} = 'post' then ${origin.itemId}::bigint end`
