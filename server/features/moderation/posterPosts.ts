import { and, desc, eq } from 'drizzle-orm'
import { origin, post, thread, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { postNumber } from '#server/core/moderation/posters.ts'
import type { PosterPost } from '#src/contract/queue.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import type { ListedBan } from './banList.ts'
import { CONTEXT_LENGTH } from './postSurroundings.ts'

const SHOWN_POSTS = 3

/** Reads the newest posts by the poster of a ban, where the ban applies. Includes removed posts. */
export async function readPosterPosts(
  { db }: Pick<Services, 'db'>,
  { view: { boardId, width }, hash }: ListedBan,
): Promise<PosterPost[]> {
  const isPoster = eq(origin[width], hash)
  const published = db
    .select({ ...columnsOf(post), boardId: thread.boardId })
    .from(origin)
    .innerJoin(post, eq(post.id, postNumber))
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(isPoster, boardId === null ? undefined : eq(thread.boardId, boardId)))
    .orderBy(desc(post.id))
    .limit(SHOWN_POSTS)
  const withheld = db
    .select({ ...columnsOf(withheldPost), boardId: withheldPost.boardId })
    .from(origin)
    .innerJoin(withheldPost, eq(withheldPost.id, postNumber))
    .where(and(isPoster, boardId === null ? undefined : eq(withheldPost.boardId, boardId)))
    .orderBy(desc(withheldPost.id))
    .limit(SHOWN_POSTS)
  const [visible, removed] = await Promise.all([published, withheld])
  return [
    ...visible.map((row) => ({ ...row, isRemoved: false })),
    ...removed.map((row) => ({ ...row, isRemoved: true })),
  ]
    .sort((a, b) => b.id - a.id)
    .slice(0, SHOWN_POSTS)
    .map(({ content, ...row }) => ({ ...row, excerpt: excerpt(content, CONTEXT_LENGTH) }))
}

const columnsOf = ({ id, threadId, author, content, createdAt }: typeof post | typeof withheldPost) => ({
  ...{ id, threadId, author, content, createdAt },
})
