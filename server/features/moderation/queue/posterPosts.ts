import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { origin, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { postNumber } from '#server/features/moderation/origins/findPosters.ts'
import type { ListedBan } from '#server/features/moderation/rules/banList.ts'
import type { PosterPost } from '#src/contract/queue.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import { CONTEXT_LENGTH } from './postSurroundings.ts'

const SHOWN_POSTS = 3

/** Reads the newest posts by the poster of a ban, where the ban applies. Includes removed posts. */
export async function readPosterPosts(
  { db }: Pick<Services, 'db'>,
  { view: { boardId, width }, hash }: ListedBan,
): Promise<PosterPost[]> {
  const { id, threadId, author, content, createdAt } = post
  const rows = await db
    .select({
      ...{ id, threadId, author, content, createdAt, boardId: thread.boardId },
      isRemoved: sql<boolean>`${post.state} <> 'live'`,
    })
    .from(origin)
    .innerJoin(post, eq(post.id, postNumber))
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(
      and(
        eq(origin[width], hash),
        ne(post.state, 'erased'),
        boardId === null ? undefined : eq(thread.boardId, boardId),
      ),
    )
    .orderBy(desc(post.id))
    .limit(SHOWN_POSTS)
  return rows.map(({ content, ...row }) => ({ ...row, excerpt: excerpt(content, CONTEXT_LENGTH) }))
}
