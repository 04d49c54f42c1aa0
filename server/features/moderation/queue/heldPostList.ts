import { and, asc, count, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { pick } from '#server/features/board/read/queries.ts'
import { HELD_POSTS_PER_CALL, type HeldPosts, type HeldPostView } from '#src/contract/heldPosts.ts'
import { bylineFields } from '#src/contract/post.ts'
import { readSurroundings } from './postSurroundings.ts'

type Reader = Pick<Services, 'db'>

/** @param boards ids of boards; null means all */
const isHeldOn = (boards: string[] | null) =>
  and(sql`${post.state} = 'held'`, boards ? inArray(thread.boardId, boards) : undefined)

/** Lists the first held posts of boards. */
export async function listHeldPosts(ctx: Reader, boards: string[] | null): Promise<HeldPosts> {
  const [posts, alike] = await Promise.all([readHeldPosts(ctx, boards), countAlike(ctx, boards)])
  return { posts, total: [...alike.values()].reduce((sum, posts) => sum + posts, 0) }
}

/** Reads held posts, those without a release first, oldest first. */
export async function readHeldPosts(ctx: Reader, boards: string[] | null, condition?: SQL): Promise<HeldPostView[]> {
  const rows = await ctx.db
    .select({
      id: post.id,
      boardId: thread.boardId,
      threadId: post.threadId,
      parentId: post.parentId,
      threadTitle: sql<
        string | null
      >`case when ${thread.deletedAt} is null or ${post.id} = ${thread.id} then ${thread.title} end`,
      byline: pick(post, bylineFields),
      content: post.content,
      links: post.links,
      hasImage: isNotNull(post.imageId).mapWith(Boolean),
      imageCount: sql<number>`case when ${post.imageId} is null then 0
        else 1 + coalesce(jsonb_array_length(${post.moreImages}), 0) end`,
      heldFor: sql<string>`${post.heldFor}`,
      createdAt: post.createdAt,
      releaseAt: post.releaseAt,
    })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(isHeldOn(boards), condition))
    .orderBy(sql`${post.releaseAt} is not null`, asc(post.id))
    .limit(HELD_POSTS_PER_CALL)
  if (rows.length === 0) return []
  const [surroundings, alike] = await Promise.all([readSurroundings(ctx, rows), countAlike(ctx, boards)])
  return rows.map(({ byline: { capcode, ...byline }, ...row }) => ({
    ...row,
    ...byline,
    ...(capcode && { capcode }),
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
