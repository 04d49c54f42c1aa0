import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { type PostState, post, thread } from '#db/schema/index.ts'
import { idList } from '#server/features/board/quotes.ts'

export type AffectedPost = Awaited<ReturnType<typeof lockAffected>>[number]

/**
 * Locks posts and their threads, the threads first and in order, so that concurrent changes wait for each other.
 * @param withAnswers whether to include the replies of comments, and the posts of threads
 * @returns the posts in these states, by id
 */
export async function lockAffected(tx: Transaction, ids: number[], states: PostState[], withAnswers: boolean) {
  const given = sql`any(${idList(ids)})`
  await tx
    .select({ id: thread.id })
    .from(thread)
    .where(sql`${thread.id} in (select ${post.threadId} from ${post} where ${post.id} = ${given})`)
    .orderBy(thread.id)
    .for('update')
  // One part per index.
  const answers = sql`union select ${post.id} from ${post} where ${post.parentId} = ${given}
    union select ${post.id} from ${post} where ${post.threadId} = ${given} and ${post.state} = 'live'
    union select ${post.id} from ${post} where ${post.threadId} = ${given} and ${post.state} in ('held', 'removed')`
  // Reads no texts of posts that are hidden with their thread, because nothing needs them.
  const content = sql<string>`case when ${withAnswers}::boolean and ${thread.id} = ${given} then '' else ${post.content} end`
  return tx
    .select({ ...getTableColumns(post), content, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(
      and(
        sql`${post.id} in (select unnest(${idList(ids)}) ${withAnswers ? answers : sql``})`,
        inArray(post.state, states),
      ),
    )
    .orderBy(post.id)
    .for('update', { of: post })
}

/** The changed posts of a thread. `isWhole`: the opening post is among them. */
export type ChangedThread = { threadId: number; boardId: string; posts: AffectedPost[]; isWhole: boolean }

export function groupByThread(posts: AffectedPost[]): ChangedThread[] {
  const threads = new Map<number, ChangedThread>()
  for (const one of posts) {
    const { threadId, boardId } = one
    const entry = threads.get(threadId) ?? { threadId, boardId, posts: [], isWhole: false }
    entry.posts.push(one)
    entry.isWhole ||= one.id === threadId
    threads.set(threadId, entry)
  }
  return [...threads.values()]
}
