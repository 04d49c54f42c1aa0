import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { importedThread, livePost, post, thread } from '#db/schema/index.ts'
import { idList } from '#server/features/board/quotes.ts'
import type { ToId } from '#server/import/text/postText.ts'
import type { ImportedPost, ImportedThread } from '#server/import/types.ts'

/** The imported part of a thread. */
export type ThreadState = {
  /** old number of the newest imported post; null if the thread is new */
  newest: number | null
  /** false if a moderator deleted the thread here */
  exists: boolean
  /** where the thread is now; null if it does not exist */
  boardId: string | null
  /** time of the opening post in the source; null if it is not known */
  openedMs: number | null
}

/** Posts of one thread that are not imported yet. */
export type Pending = { thread: ImportedThread; isNew: boolean; posts: ImportedPost[] }
/** A post that is not imported. */
export type LeftOut = { number: number; reason: string }

export async function readThreadStates(
  db: Database | Transaction,
  board: string,
  threads: ImportedThread[],
  toId: ToId,
): Promise<Map<number, ThreadState>> {
  const numbers = threads.map(({ number }) => number)
  // An unknown number gets the id 0, which no thread has.
  const ids = numbers.map((number) => toId(number) ?? 0)
  // `offset 0` makes PostgreSQL look up each row by index. It plans this statement while the tables are empty, and would
  // read whole tables in every batch of a long import.
  const rows = await db.execute<{
    number: string
    newest: string | null
    exists: boolean
    boardId: string | null
    openedMs: number | null
  }>(sql`
    select given.number, ${importedThread.newest} as newest,
      ${thread.id} is not null and ${thread.deletedAt} is null as exists, ${thread.boardId} as "boardId",
      coalesce(${importedThread.openedMs}, extract(epoch from ${post.createdAt}) * 1000)::float8 as "openedMs"
    from unnest(${idList(numbers)}, ${idList(ids)}) as given(number, id)
    left join lateral (select newest, opened_ms from ${importedThread}
      where source = ${board} and ${importedThread.number} = given.number offset 0) ${importedThread} on true
    left join lateral (select id, deleted_at, board_id from ${thread} where ${thread.id} = given.id offset 0) ${thread} on true
    left join lateral (select created_at from ${post} where ${post.id} = given.id offset 0) ${post} on true`)
  return new Map(
    rows.map(({ number, newest, exists, boardId, openedMs }) => [
      Number(number),
      {
        newest: newest === null ? null : Number(newest),
        ...{ exists, boardId },
        openedMs: openedMs === null ? null : Math.trunc(openedMs),
      },
    ]),
  )
}

/** Returns whether another source had a thread with this number. */
export function isOtherThread({ number, posts }: ImportedThread, state: ThreadState | undefined): boolean {
  const opening = posts.find((post) => post.number === number)
  const openedMs = state?.newest == null ? null : state.openedMs
  return opening !== undefined && openedMs !== null && opening.time.getTime() !== openedMs
}

/** Splits the new posts of a thread into those to import and those to leave out. */
export function selectPending(
  thread: ImportedThread,
  state: ThreadState | undefined,
): { pending: Pending | null; leftOut: LeftOut[] } {
  const newest = state?.newest ?? null
  const opening = thread.posts.find(({ number }) => number === thread.number)
  const posts = thread.posts.filter(({ number }) => number > (newest ?? 0))
  const none = (reason?: string) => ({
    pending: null,
    leftOut: reason === undefined ? [] : posts.map(({ number }) => ({ number, reason })),
  })
  if (newest === null) {
    if (!opening) return none('post left out: the source has no opening post of its thread')
    return { pending: { thread, isNew: true, posts }, leftOut: [] }
  }
  if (isOtherThread(thread, state))
    return none('post left out: another thread with this number was imported into this board')
  if (posts.length === 0) return none()
  if (!state?.exists) return none('post left out: its thread was deleted here')
  return { pending: { thread, isNew: false, posts }, leftOut: [] }
}

/** Returns how many threads of a board are pinned. */
export const countPins = (db: Database | Transaction, boardId: string): Promise<number> =>
  db.$count(thread, sql`${thread.boardId} = ${boardId} and ${thread.pinned} and ${thread.deletedAt} is null`)

/** Returns the ids that are taken. */
export async function readUsedIds(tx: Transaction, ids: number[]): Promise<Set<number>> {
  const rows = await tx.execute<{ id: string }>(sql`
    select given.id from unnest(${idList(ids)}) as given(id)
    where exists (select from ${post} where ${post.id} = given.id offset 0)
      or exists (select from ${thread} where ${thread.id} = given.id offset 0)`)
  return new Set(rows.map(({ id }) => Number(id)))
}

/** Returns the threads of those ids that belong to comments. */
export async function readComments(tx: Transaction, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.execute<{ id: string; threadId: string }>(sql`
    select ${livePost.id} as id, ${livePost.threadId} as "threadId" from ${livePost}
    where ${livePost.id} in (select unnest(${idList(ids)})) and ${livePost.parentId} is null
      and ${livePost.id} <> ${livePost.threadId}`)
  return new Map(rows.map(({ id, threadId }) => [Number(id), Number(threadId)]))
}
