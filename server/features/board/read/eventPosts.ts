import { eq, inArray, sql } from 'drizzle-orm'
import { shownPost, thread } from '#db/schema/index.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import type { EventPost } from '#src/contract/events.ts'
import { addBoardLinks } from './boardLinks.ts'
import { highlightCode } from './highlightCode.ts'
import { addLinkCards, type CardReader } from './linkCards.ts'
import { shownColumns, threadColumns } from './queries.ts'
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
    .select({
      ...shownColumns,
      boardId: thread.boardId,
      title: thread.title,
      thread: threadColumns,
    })
    .from(shownPost)
    .innerJoin(thread, eq(thread.id, shownPost.threadId))
    .where(inArray(shownPost.id, ids))
  await highlightCode(rows)
  await addLinkCards(ctx, rows)
  await addBoardLinks(ctx, rows)
  const quotes = await readQuotes(db, ids)
  return new Map(
    rows.map((row) => {
      const { id, boardId, threadId, title, parentId, thread } = row
      const place = { boardId, threadId, title, parentId }
      return [id, { ...place, view: postView(row, quotes), ...threadCounts(thread) }]
    }),
  )
}
