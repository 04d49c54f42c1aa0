import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post } from '#db/schema/index.ts'
import { idList } from '#server/features/board/quotes.ts'
import type { AffectedPost } from './affectedPosts.ts'
import { isDeletedByAuthor } from './places.ts'

/** A comment or opening post that has become a stub, or is none any more. */
export type ChangedStub = { id: number; threadId: number; stub: boolean }

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
