import { createHmac } from 'node:crypto'
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { origin, originEpoch, post, thread } from '#db/schema/index.ts'
import type { BanWidth, OriginKind } from '#src/contract/bans.ts'

/** Letters and digits that are hard to confuse. */
const LABEL_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LABEL_LENGTH = 6

/** `boardId` is null for the whole site. */
export type PosterScope = { boardId: string | null; width: BanWidth }

/** Returns a short name of a poster. On another board, and in another epoch, the same poster has another name. */
export function posterLabel(key: Uint8Array, host: Uint8Array, boardId: string | null): string {
  const scope = boardId === null ? 'site' : `board ${boardId}`
  const digest = createHmac('sha256', key).update(`label\n${scope}\n`).update(host).digest()
  return Array.from(digest.subarray(0, LABEL_LENGTH), (byte) => LABEL_LETTERS[byte % LABEL_LETTERS.length]).join('')
}

/** @returns the labels by post id, each for its board; posts without a stored origin are missing */
export async function labelPosts(
  db: Database | Transaction,
  posts: { id: number; boardId: string | null }[],
): Promise<Map<number, string>> {
  if (posts.length === 0) return new Map()
  const boards = new Map(posts.map(({ id, boardId }) => [String(id), boardId]))
  const rows = await db
    .select({ itemId: origin.itemId, host: origin.host, key: originEpoch.key })
    .from(origin)
    .innerJoin(originEpoch, eq(originEpoch.id, origin.epochId))
    .where(and(eq(origin.kind, 'post'), inArray(origin.itemId, [...boards.keys()])))
  return new Map(
    rows.map(({ itemId, host, key }) => [Number(itemId), posterLabel(key, host, boards.get(itemId) ?? null)]),
  )
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
  const [row] = await db
    .select({ epochId: origin.epochId, host: origin.host, range: origin.range, key: originEpoch.key })
    .from(origin)
    .innerJoin(originEpoch, eq(originEpoch.id, origin.epochId))
    .where(and(eq(origin.kind, kind), eq(origin.itemId, itemId)))
  return row ?? null
}

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
  const rows = await db
    .select({ id: post.id })
    .from(origin)
    .innerJoin(post, eq(post.id, postNumber))
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(
      and(
        eq(origin[width], from[width]),
        sql`${post.state} in ('live', 'held')`,
        boardId === null ? undefined : eq(thread.boardId, boardId),
      ),
    )
    .orderBy(asc(post.id))
  return rows.map(({ id }) => id)
}

/** The number of a post's origin; null for pastes and images, whose ids are not numbers. */
export const postNumber: SQL<number> = sql`case when ${origin.kind} = 'post' then ${origin.itemId}::bigint end`
