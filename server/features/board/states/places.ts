import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, moderationLog, post } from '#db/schema/index.ts'
import { idList } from '#server/features/board/quotes.ts'
import type { AffectedPost } from './affectedPosts.ts'

/** Whether the post's author deleted it. */
export const isDeletedByAuthor = sql<boolean>`(${post.state} in ('removed', 'erased') and exists (select from ${moderationLog}
  where ${moderationLog.id} = ${post.logId} and ${moderationLog.role} = 'author'))`

/**
 * Keeps posts whose board, thread and comment are live or become live with them. A thread or comment that its author
 * deleted is a place too: it becomes a stub. @param rows in order of their ids
 */
export async function hasPlace(tx: Transaction, rows: AffectedPost[]): Promise<AffectedPost[]> {
  if (rows.length === 0) return []
  const ids = rows.flatMap(({ threadId, parentId }) => [threadId, parentId ?? threadId])
  const places = await tx
    .select({ id: post.id })
    .from(post)
    .where(and(sql`${post.id} = any(${idList(ids)})`, sql`(${post.state} = 'live' or ${isDeletedByAuthor})`))
  const boardIds = [...new Set(rows.map(({ boardId }) => boardId))]
  // The shared lock prevents another transaction from deleting the board meanwhile.
  const boards = await tx
    .select({ id: board.id })
    .from(board)
    .where(and(inArray(board.id, boardIds), isNull(board.deletedAt)))
    .orderBy(board.id)
    .for('share')
  const openBoards = new Set(boards.map(({ id }) => id))
  const available = new Set(places.map(({ id }) => id))
  return rows.filter(({ id, boardId, threadId, parentId }) => {
    const isPlaced = id === threadId || (available.has(threadId) && available.has(parentId ?? threadId))
    if (!openBoards.has(boardId) || !isPlaced) return false
    available.add(id)
    return true
  })
}
