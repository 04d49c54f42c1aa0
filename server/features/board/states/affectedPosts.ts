import { and, eq, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, moderationLog, type PostState, post, thread } from '#db/schema/index.ts'
import { idList, isAnyOf } from '#server/features/board/quotes.ts'

export type AffectedPost = Awaited<ReturnType<typeof lockAffected>>[number]

/**
 * Locks posts and their threads, the threads first and in order, so that concurrent changes wait for each other.
 * @param withAnswers whether to include the replies of comments, and the posts of threads
 * @returns the posts in these states, by id
 */
export async function lockAffected(tx: Transaction, ids: number[], states: PostState[], withAnswers: boolean) {
  const given = sql`any(${idList(ids)})`
  const isTheirs = sql`${thread.id} in (select ${post.threadId} from ${post} where ${post.id} = ${given})`
  await tx.select({ id: thread.id }).from(thread).where(isTheirs).orderBy(thread.id).for('update')
  // One part per index.
  const answers = sql`union select ${post.id} from ${post} where ${post.parentId} = ${given}
    union select ${post.id} from ${post} where ${post.threadId} = ${given} and ${post.state} = 'live'
    union select ${post.id} from ${post} where ${post.threadId} = ${given} and ${post.state} in ('held', 'removed')`
  // Reads no texts of posts that are hidden with their thread, because nothing needs them.
  const content = sql<string>`case when ${withAnswers}::boolean and ${thread.id} = ${given} then '' else ${post.content} end`
  const isAffected = sql`${post.id} in (select unnest(${idList(ids)}) ${withAnswers ? answers : sql``})`
  return tx
    .select({ ...getTableColumns(post), content, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(isAffected, inArray(post.state, states)))
    .orderBy(post.id)
    .for('update', { of: post })
}

export type ChangedThread = { threadId: number; boardId: string; posts: AffectedPost[] }

export function groupByThread(posts: AffectedPost[]): ChangedThread[] {
  const threads = new Map<number, ChangedThread>()
  for (const one of posts) {
    const { threadId, boardId } = one
    const entry = threads.get(threadId) ?? { threadId, boardId, posts: [] }
    entry.posts.push(one)
    threads.set(threadId, entry)
  }
  return [...threads.values()]
}

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
  const isPlace = and(isAnyOf(post.id, ids), sql`(${post.state} = 'live' or ${isDeletedByAuthor})`)
  const places = await tx.select({ id: post.id }).from(post).where(isPlace)
  const boardIds = [...new Set(rows.map(({ boardId }) => boardId))]
  const isOpen = and(inArray(board.id, boardIds), isNull(board.deletedAt))
  // The shared lock prevents another transaction from deleting the board meanwhile.
  const boards = await tx.select({ id: board.id }).from(board).where(isOpen).orderBy(board.id).for('share')
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
  const threads = new Set(changed.map(({ threadId }) => threadId))
  const comments = new Set(changed.map(({ id, parentId }) => parentId ?? id).filter((id) => !threads.has(id)))
  const ofComments = await update(tx, [...comments], sql`answer.parent_id = ${post.id}`)
  // After the comments: a stub of a comment is an answer too.
  const isInThread = sql`answer.thread_id = ${post.id} and answer.id <> ${post.id}`
  return [...ofComments, ...(await update(tx, [...threads], isInThread))]
}

async function update(tx: Transaction, ids: number[], isAnswer: SQL): Promise<ChangedStub[]> {
  const hasAnswers = sql`exists (select from ${post} answer where ${isAnswer} and (answer.state = 'live' or answer.stub))`
  const rows = await tx.execute<{ id: string; threadId: string; stub: boolean }>(sql`
    with wanted as (select ${post.id}, ${isDeletedByAuthor} and ${hasAnswers} as stub from ${post}
      where ${isAnyOf(post.id, ids)} and ${post.state} in ('removed', 'erased'))
    update ${post} set stub = wanted.stub from wanted where ${post.id} = wanted.id and ${post.stub} <> wanted.stub
    returning ${post.id}, ${post.threadId} as "threadId", ${post.stub}`)
  return rows.map(({ id, threadId, stub }) => ({ id: Number(id), threadId: Number(threadId), stub }))
}
