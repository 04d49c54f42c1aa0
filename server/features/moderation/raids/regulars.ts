import { type Param, type SQL, sql } from 'drizzle-orm'
import { livePost, origin, post } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { isDeletedByAuthor } from '#server/features/board/states/places.ts'
import type { VisitorOrigin } from '#server/features/moderation/origins/origins.ts'

/** The detection of a raid needs up to this time. Attackers who posted in this time are strangers. */
export const DETECTION_MS = 60_000

/**
 * Returns whether the visitor's host or range posted before the raid that was detected at `since`, and moderators
 * removed none of its posts. Everyone is a stranger when an epoch of origins begins, and always if the site stores no
 * origins.
 */
export async function isRegular(
  { db, moderation }: Context,
  from: VisitorOrigin | null,
  since: Date,
): Promise<boolean> {
  if (!from) return false
  const key = `${since.getTime()} ${Buffer.from(from.host).toString('base64')}`
  const known = moderation.regulars.get(key)
  if (known !== undefined) return known
  const before = new Date(since.getTime() - DETECTION_MS)
  const [row] = await db.execute<{ regular: boolean }>(
    sql`select ${hasCleanPosts('host', sql.param(from.host, origin.host), before)}
      or ${hasCleanPosts('range', sql.param(from.range, origin.range), before)} as regular`,
  )
  moderation.regulars.set(key, row?.regular ?? false)
  return row?.regular ?? false
}

export function hasCleanPosts(width: 'host' | 'range', value: SQL | Param, before: Date): SQL {
  const itsPosts = sql`${origin.kind} = 'post' and ${origin[width]} = ${value}`
  return sql`(exists (select from ${origin} join ${livePost} on ${livePost.id} = ${origin.itemId}::bigint
      where ${itsPosts} and ${livePost.createdAt} < ${before.toISOString()}::timestamptz)
    and not exists (select from ${origin} join ${post} on ${post.id} = ${origin.itemId}::bigint
      where ${itsPosts} and ${post.state} = 'removed' and not ${isDeletedByAuthor}))`
}
