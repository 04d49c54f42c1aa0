import { and, asc, count, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { thread, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { HELD_POSTS_PER_CALL, type HeldPosts, type HeldPostView } from '#src/contract/heldPosts.ts'
import { readSurroundings } from './postSurroundings.ts'

type Reader = Pick<Services, 'db'>

/** @param boards ids of boards; null means all */
const isHeldOn = (boards: string[] | null) =>
  and(isNotNull(withheldPost.heldFor), boards ? inArray(withheldPost.boardId, boards) : undefined)

/** Lists the first held posts of boards. */
export async function listHeldPosts(ctx: Reader, boards: string[] | null): Promise<HeldPosts> {
  const [posts, total] = await Promise.all([readHeldPosts(ctx, boards), ctx.db.$count(withheldPost, isHeldOn(boards))])
  return { posts, total }
}

/** Reads held posts, those without a release first, oldest first. */
export async function readHeldPosts(ctx: Reader, boards: string[] | null, condition?: SQL): Promise<HeldPostView[]> {
  const rows = await ctx.db
    .select({
      id: withheldPost.id,
      boardId: withheldPost.boardId,
      threadId: withheldPost.threadId,
      parentId: withheldPost.parentId,
      threadTitle: sql<string | null>`coalesce(${withheldPost.title},
        case when ${thread.deletedAt} is null then ${thread.title} end)`,
      author: withheldPost.author,
      tripcode: withheldPost.tripcode,
      content: withheldPost.content,
      links: withheldPost.links,
      hasImage: isNotNull(withheldPost.imageId).mapWith(Boolean),
      imageCount: sql<number>`case when ${withheldPost.imageId} is null then 0
        else 1 + coalesce(jsonb_array_length(${withheldPost.moreImages}), 0) end`,
      heldFor: sql<string>`${withheldPost.heldFor}`,
      createdAt: withheldPost.createdAt,
      releaseAt: withheldPost.releaseAt,
    })
    .from(withheldPost)
    .leftJoin(thread, eq(thread.id, withheldPost.threadId))
    .where(and(isHeldOn(boards), condition))
    .orderBy(sql`${withheldPost.releaseAt} is not null`, asc(withheldPost.id))
    .limit(HELD_POSTS_PER_CALL)
  if (rows.length === 0) return []
  const [surroundings, alike] = await Promise.all([readSurroundings(ctx, rows), countAlike(ctx, boards)])
  return rows.map((row) => ({
    ...row,
    ...(surroundings.get(row.id) ?? { label: null, context: null }),
    alike: alike.get(row.heldFor) ?? 1,
  }))
}

/** Counts held posts by the reason why they are held. */
async function countAlike({ db }: Reader, boards: string[] | null): Promise<Map<string | null, number>> {
  const { heldFor } = withheldPost
  const rows = await db.select({ heldFor, posts: count() }).from(withheldPost).where(isHeldOn(boards)).groupBy(heldFor)
  return new Map(rows.map((row) => [row.heldFor, row.posts]))
}
