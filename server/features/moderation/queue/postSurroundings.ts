import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { livePost, origin, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { labelPosts, postNumber } from '#server/features/moderation/origins/origins.ts'
import type { ListedBan } from '#server/features/moderation/rules/bans.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { PostContext, PostSurroundings } from '#src/contract/moderation.ts'
import type { PosterPost } from '#src/contract/queue.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import { quotedPosts } from '#src/lib/markup.ts'

const CONTEXT_LENGTH = 200

type Place = { id: number; boardId: string; threadId: number; parentId: number | null; content: string }

/** Returns the poster's label of each post, and the post that it answers. */
export async function readSurroundings(
  { db }: Pick<Services, 'db'>,
  places: Place[],
): Promise<Map<number, PostSurroundings>> {
  const labels = await labelPosts(db, places)
  const wanted = new Map(places.map((place) => [place.id, listContextIds(place)]))
  const ids = [...new Set([...wanted.values()].flat())]
  const { id, author, content } = livePost
  const rows = ids.length === 0 ? [] : await db.select({ id, author, content }).from(livePost).where(inArray(id, ids))
  const existing = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    places.map((place) => {
      const found = existing.get(wanted.get(place.id)?.find((one) => existing.has(one)) ?? 0)
      const context = found && {
        ...{ relation: relationOf(place, found.id), id: found.id, author: found.author },
        excerpt: excerpt(found.content, CONTEXT_LENGTH),
      }
      return [place.id, { label: labels.get(place.id) ?? null, context: context ?? null }]
    }),
  )
}

/** Lists the posts that could be the context, the best first. */
function listContextIds({ id, threadId, parentId, content }: Place): number[] {
  if (id === threadId) return []
  const quoted = quotedPosts(content, boardLimits.quotes).filter((other) => other !== id)
  return [...quoted, ...(parentId === null ? [] : [parentId]), threadId]
}

const relationOf = ({ threadId, parentId }: Place, contextId: number): PostContext['relation'] =>
  contextId === parentId ? 'answers' : contextId === threadId ? 'opening' : 'quotes'

const SHOWN_POSTS = 3

/** Reads the newest posts by the poster of a ban, where the ban applies. Includes removed posts. */
export async function readPosterPosts(
  { db }: Pick<Services, 'db'>,
  { view: { boardId, width }, hash }: ListedBan,
): Promise<PosterPost[]> {
  const { id, threadId, author, content, createdAt } = post
  const isInScope = boardId === null ? undefined : eq(thread.boardId, boardId)
  const rows = await db
    .select({
      ...{ id, threadId, author, content, createdAt, boardId: thread.boardId },
      isRemoved: sql<boolean>`${post.state} <> 'live'`,
    })
    .from(origin)
    .innerJoin(post, eq(post.id, postNumber))
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(eq(origin[width], hash), ne(post.state, 'erased'), isInScope))
    .orderBy(desc(post.id))
    .limit(SHOWN_POSTS)
  return rows.map(({ content, ...row }) => ({ ...row, excerpt: excerpt(content, CONTEXT_LENGTH) }))
}
