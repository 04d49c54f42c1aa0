import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { pick } from '#db/schema/columns.ts'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { pickByline } from '#server/features/board/read/view.ts'
import { bylineFields } from '#src/contract/post.ts'
import { HELD_POSTS_PER_CALL, type HeldPosts, type HeldPostView } from '#src/contract/queue.ts'
import { readSurroundings } from './postSurroundings.ts'

type Reader = Pick<Services, 'db'>

/** @param boards ids of boards; null means all */
export const isHeldOn = (boards: string[] | null) =>
  and(sql`${post.state} = 'held'`, boards ? inArray(thread.boardId, boards) : undefined)

/** Lists the first held posts of boards. */
export async function listHeldPosts(ctx: Reader, boards: string[] | null): Promise<HeldPosts> {
  const counted = countAlike(ctx, boards)
  const [posts, alike] = await Promise.all([readHeldPosts(ctx, boards, { counted }), counted])
  return { posts, total: [...alike.values()].reduce((sum, posts) => sum + posts, 0) }
}

/**
 * Reads held posts, those without a release first, oldest first.
 * @param options.counted what `countAlike` returned, if the caller needs it, too
 */
export async function readHeldPosts(
  ctx: Reader,
  boards: string[] | null,
  { condition, counted }: { condition?: SQL; counted?: ReturnType<typeof countAlike> },
): Promise<HeldPostView[]> {
  const { id, threadId, parentId, content, links, createdAt, releaseAt } = post
  const rows = await ctx.db
    .select({
      ...{ id, boardId: thread.boardId, threadId, parentId, content, links, createdAt, releaseAt },
      threadTitle: sql<
        string | null
      >`case when ${thread.deletedAt} is null or ${post.id} = ${thread.id} then ${thread.title} end`,
      byline: pick(post, bylineFields),
      imageCount: sql<number>`case when ${post.imageId} is null then 0
        else 1 + coalesce(jsonb_array_length(${post.moreImages}), 0) end`,
      heldFor: sql<string>`${post.heldFor}`,
    })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(isHeldOn(boards), condition))
    .orderBy(sql`${post.releaseAt} is not null`, asc(post.id))
    .limit(HELD_POSTS_PER_CALL)
  if (rows.length === 0) return []
  const [surroundings, alike] = await Promise.all([readSurroundings(ctx, rows), counted ?? countAlike(ctx, boards)])
  return rows.map(({ byline, ...row }) => ({
    ...row,
    ...pickByline(byline),
    hasImage: row.imageCount > 0,
    ...(surroundings.get(row.id) ?? { label: null, context: null }),
    alike: alike.get(row.heldFor) ?? 1,
  }))
}

/** Counts held posts by the reason why they are held. */
async function countAlike({ db }: Reader, boards: string[] | null): Promise<Map<string | null, number>> {
  const { heldFor } = post
  const rows = await db
    .select({ heldFor, posts: count() })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(isHeldOn(boards))
    .groupBy(heldFor)
  return new Map(rows.map((row) => [row.heldFor, row.posts]))
}
