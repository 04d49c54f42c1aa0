import { and, inArray, isNull, type SQL, sql } from 'drizzle-orm'
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

/** A comment or opening post that has become a stub, or is none any more. */
type ChangedStub = { id: number; threadId: number; stub: boolean }

/** Turns posts that their authors deleted into stubs while they have live answers. */
export async function updateStubs(tx: Transaction, changed: AffectedPost[]): Promise<ChangedStub[]> {
  const comments = new Set(changed.map(({ id, parentId }) => parentId ?? id))
  const threads = new Set(changed.map(({ threadId }) => threadId))
  const answer = sql.raw('answer')
  return [
    ...(await update(tx, comments, sql`${post.id} <> ${post.threadId}`, sql`${answer}.parent_id = ${post.id}`)),
    // After the comments: a stub of a comment is an answer too.
    ...(await update(
      tx,
      threads,
      sql`${post.id} = ${post.threadId}`,
      sql`${answer}.thread_id = ${post.id} and ${answer}.id <> ${post.id}`,
    )),
  ]
}

async function update(tx: Transaction, ids: Set<number>, isKind: SQL, isAnswer: SQL): Promise<ChangedStub[]> {
  const hasAnswers = sql`exists (select from ${post} answer where ${isAnswer} and (answer.state = 'live' or answer.stub))`
  const rows = await tx.execute<{ id: string; threadId: string; stub: boolean }>(sql`
    with wanted as (select ${post.id}, ${isDeletedByAuthor} and ${hasAnswers} as stub from ${post}
      where ${post.id} = any(${idList([...ids])}) and ${isKind} and ${post.state} in ('removed', 'erased'))
    update ${post} set stub = wanted.stub from wanted where ${post.id} = wanted.id and ${post.stub} <> wanted.stub
    returning ${post.id}, ${post.threadId} as "threadId", ${post.stub}`)
  return rows.map(({ id, threadId, stub }) => ({ id: Number(id), threadId: Number(threadId), stub }))
}
