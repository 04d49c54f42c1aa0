import { and, asc, count, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { post, thread } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { pick } from '#server/features/board/read/queries.ts'
import { pickByline } from '#server/features/board/read/view.ts'
import type { HeldImage, heldImageInput } from '#src/contract/heldPosts.ts'
import { HELD_POSTS_PER_CALL, type HeldPosts, type HeldPostView } from '#src/contract/heldPosts.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import { bylineFields } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import { readSurroundings } from './postSurroundings.ts'

type Reader = Pick<Services, 'db'>

/** The moderator who acts. `boards` has the ids of the boards that they moderate; null means all. */
export type Moderator = { user: SessionUser; boards: string[] | null }

/** @param boards ids of boards; null means all */
export const isHeldOn = (boards: string[] | null) =>
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
  return rows.map(({ byline, ...row }) => ({
    ...row,
    ...pickByline(byline),
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

/**
 * Reads a picture of a held post, in the size of its thread page.
 * @throws AppError 404 if the post is not held any more or has no such picture, 403
 */
export async function readHeldImage(
  { db, files }: Context,
  { postId, number }: z.output<typeof heldImageInput>,
  moderator: Moderator,
): Promise<HeldImage> {
  const [found] = await db
    .select({ boardId: thread.boardId, image: post.image, moreImages: post.moreImages })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(eq(post.id, postId), isHeldOn(null)))
  const shown = found && imagesOf(found)[number - 1]
  if (!shown) throw errors.notFound(refusal('moderation.heldNotHeld'))
  checkBoard(found.boardId, moderator)
  const { name, width, height } = shown.display
  const file = await files.read(withheldName(name))
  if (!file) throw errors.notFound(refusal('moderation.heldNotHeld'))
  const bytes = Buffer.concat(await file.content.toArray())
  return { url: `data:${imageTypeOf(name)};base64,${bytes.toString('base64')}`, width, height }
}

/** @throws AppError 403 */
export function checkBoard(boardId: string, { boards }: Moderator): void {
  if (boards && !boards.includes(boardId)) throw errors.forbidden(refusal('auth.forbidden'))
}
