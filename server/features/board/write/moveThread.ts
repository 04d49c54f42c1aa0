import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Transaction } from '#db/client.server.ts'
import { extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import { board, event, livePost, movedThread, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { untilBoardsChange } from '#server/features/board/boards/boards.ts'
import { findQuotesAcross, publishQuoteChanges } from '#server/features/board/quotes.ts'
import { changedNow } from '#server/features/board/read/queries.ts'
import { refusal } from '#src/contract/refusal.ts'
import { reviveEvicted } from './threadArchive.ts'

/** A long thread is indexed again for the search. */
const TIMEOUT_MS = 120_000

/**
 * Moves a thread to another board. Its posts keep their numbers and files, and its old URLs redirect. The
 * pin goes, because it belongs to the old board.
 * @returns whether the thread moved: false if it was on the board, or another request moved it
 * @throws AppError 404 if one of the boards was deleted meanwhile
 */
export async function moveThread(
  { now }: Pick<Services, 'now'>,
  tx: Transaction,
  { threadId, from, to }: { threadId: number; from: string; to: string },
): Promise<boolean> {
  if (from === to) return false
  await extendTransactionTimeout(tx, TIMEOUT_MS)
  // Shared locks, as for a new thread: a deletion of the old board would delete files of the thread that has left it.
  const isOpen = and(inArray(board.id, [from, to]), isNull(board.deletedAt))
  const open = await tx.select({ id: board.id }).from(board).where(isOpen).orderBy(board.id).for('share')
  if (open.length < 2) throw errors.notFound(refusal('board.boardNotFound'))
  const isHere = and(eq(thread.id, threadId), eq(thread.boardId, from))
  const place = { boardId: to, pinned: false, changedAt: changedNow(now()) }
  const [moved] = await tx.update(thread).set(place).where(isHere).returning({ archivedAt: thread.archivedAt })
  if (!moved) return false
  await tx.insert(movedThread).values({ threadId, boardId: from }).onConflictDoNothing()
  const ids = sql`(select ${livePost.id} from ${livePost} where ${livePost.threadId} = ${threadId})`
  await tx.execute(sql`delete from post_search where post_id in ${ids}`)
  await tx.execute(sql`select index_posts(array${ids})`)
  await tx.execute(sql`update report set board_id = ${to} where kind = 'post' and board_id = ${from}
    and item_id in (select ${post.id}::text from ${post} where ${post.threadId} = ${threadId})`)
  const topic = `thread:${threadId}` as const
  // A page that reconnects must not learn of an older move, which would lead it to a board that the thread has left.
  await tx.delete(event).where(and(eq(event.topic, topic), sql`${event.change} ->> 'kind' = 'thread-moved'`))
  await publish(tx, now(), [
    { topic, change: { kind: 'thread-moved', threadId, boardId: to } },
    { topic: `board:${from}`, change: { kind: 'thread-gone', threadId } },
    { topic: `board:${to}`, change: { kind: 'thread', threadId } },
    // Every process learns the redirects.
    { topic: 'boards', change: { kind: 'boards' } },
    // Reports and held posts of the thread wait for other moderators now.
    { topic: 'moderation', change: { kind: 'queue' } },
    ...(await reviveEvicted(tx, now(), [{ threadId, boardId: from, isArchived: moved.archivedAt !== null }])),
  ])
  await publishQuoteChanges(tx, now(), await findQuotesAcross(tx, sql`${post.threadId} = ${threadId}`))
  return true
}

/** URLs of a thread: its page with feeds, its calls, the form of its comments, and its JSON as on 4chan. */
const THREAD_URLS = [
  /^(\/dtpchan\/board\/|\/api\/dtpchan\/boards\/)([a-z0-9-]{1,40})(\/threads?\/|\/post\?(?:.*&)?thread=)([1-9]\d{0,14})(?=[/?&]|$)/,
  // Other URLs below `/{board}/` can have the numbers of an old site: `registerOldUrls` redirects them.
  /^(\/)([a-z0-9-]{1,40})(\/(?:thread|res)\/)([1-9]\d{0,14})(?=\.json)/,
]

/**
 * Redirects the URLs that a thread had on other boards, before anything reads a body or spends a captcha. Browsers repeat
 * other methods than GET with their body (308). The thread can come back, so that browsers must not keep the redirect.
 */
export function registerMovedThreads(app: FastifyInstance, { db, cache }: Pick<Services, 'db' | 'cache'>): void {
  const readMoved = untilBoardsChange(cache, async () => {
    const rows = await db
      .select({ id: thread.id, from: movedThread.boardId, boardId: thread.boardId })
      .from(movedThread)
      .innerJoin(thread, eq(thread.id, movedThread.threadId))
    return new Map(rows.map(({ id, from, boardId }) => [`${from}/${id}`, boardId]))
  })
  app.addHook('onRequest', async ({ url, method }, reply) => {
    const pattern = THREAD_URLS.find((one) => one.test(url))
    // Browsers do not follow redirects when they ask whether a script may send a request.
    if (!pattern || method === 'OPTIONS') return
    const [, start, boardId = '', kind, id = ''] = pattern.exec(url) ?? []
    // Without the database, cached pages are still served.
    const moved = await readMoved().catch(() => null)
    const current = moved?.get(`${boardId}/${id}`)
    if (current === undefined || current === boardId) return
    const isRead = method === 'GET' || method === 'HEAD'
    const target = url.replace(pattern, () => `${start}${current}${kind}${id}`)
    // Pages of other sites read the JSON.
    if (isRead) reply.header('access-control-allow-origin', '*')
    return reply.header('cache-control', 'no-cache').redirect(target, isRead ? 301 : 308)
  })
}
