import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { board, livePost, shownPost, thread } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { parsePostId } from '#server/features/board/ids.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import type { EventPost } from '#src/contract/events.ts'
import type { QuotedPost } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import { threadPath } from '#src/contract/thread.ts'
import { addDetails, type CardReader } from './linkCards.ts'
import { postColumns, shownColumns, threadColumns } from './queries.ts'
import { postView, threadCounts } from './view.ts'

/**
 * Reads posts in their current state for events, with the counts of their threads.
 * @returns null if the posts' texts exceed `maxBytes`
 */
export async function readEventPosts(
  ctx: CardReader,
  ids: number[],
  maxBytes?: number,
): Promise<Map<number, EventPost> | null> {
  const { db } = ctx
  if (maxBytes !== undefined) {
    const bytes = sql<string>`coalesce(sum(octet_length(${shownPost.content})), 0)`
    const [row] = await db.select({ bytes }).from(shownPost).where(inArray(shownPost.id, ids))
    if (Number(row?.bytes) > maxBytes) return null
  }
  const rows = await db
    .select({ ...shownColumns, boardId: thread.boardId, title: thread.title, thread: threadColumns })
    .from(shownPost)
    .innerJoin(thread, eq(thread.id, shownPost.threadId))
    .where(and(inArray(shownPost.id, ids), isNull(thread.deletedAt)))
  await addDetails(ctx, rows)
  const quotes = await readQuotes(db, ids)
  return new Map(
    rows.map((row) => {
      const { id, boardId, threadId, title, parentId, thread } = row
      const place = { boardId, threadId, title, parentId }
      return [id, { ...place, view: postView(row, quotes), ...threadCounts(thread) }]
    }),
  )
}

/** Reads a published post of any board. @throws AppError 404 'Post not found', also for held and removed posts */
export async function readQuotedPost(ctx: CardReader, postId: string): Promise<QuotedPost> {
  const { db } = ctx
  const [row] = await db
    .select({ ...postColumns, boardId: thread.boardId, threadTitle: thread.title })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .where(and(eq(livePost.id, parsePostId(postId) ?? 0), isNull(thread.deletedAt), isNull(board.deletedAt)))
  if (!row) throw errors.notFound(refusal('moderation.postNotFound'))
  await addDetails(ctx, [row])
  const { id, boardId, threadId, threadTitle } = row
  const quotes = await readQuotes(db, [id])
  return { ...postView(row, quotes), boardId, threadId, threadTitle, path: `${threadPath(boardId, threadId)}#p${id}` }
}
