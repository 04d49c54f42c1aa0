import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, livePost, quote, thread, watchedPost, watchedThread, watcher } from '#db/schema/index.ts'
import { insertMessages, type Outlet, takeMessages } from '#server/core/outbox/outbox.ts'
import { deliverPush, type PushSubscription } from '#server/core/push/webPush.ts'
import { idList } from '#server/features/board/quotes.ts'
import { threadPath } from '#src/contract/thread.ts'
import { type WatchedNews, watchLimits, watchMessage } from '#src/contract/watching.ts'
import { excerpt, excerptSource } from '#src/lib/excerpt.ts'

type PublishedPost = { postId: number }

/** Gives the author's browser time to say that the post is its own. */
const DELAY_MS = 10_000

/** Returns the statement that queues alerts about published posts. @param target has their `id` */
export const insertWatchAlerts = (now: Date, target: SQL): SQL =>
  insertMessages(
    'watchers',
    new Date(now.getTime() + DELAY_MS),
    sql`select json_build_object('postId', id) from ${target} where exists (select from ${watcher})`,
  )

/** Queues alerts about held posts that are published. */
export async function queueWatchAlerts(tx: Transaction, now: Date, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(insertWatchAlerts(now, sql`unnest(${idList(ids)}) as published(id)`))
}

/** A popular thread has many watchers, and each push takes a while. */
const AT_ONCE = 10

/** Pushes alerts about published posts to the browsers that watch them. */
export const watcherOutlet: Outlet<PublishedPost> = {
  target: 'watchers',
  batch: 100,
  async send(services, messages, signal) {
    const alerts = await services.db.transaction(async (tx) => {
      const taken = await takeMessages(tx, messages)
      const ids = taken.map(({ postId }) => postId)
      return findDueAlerts(tx, ids, services.now())
    })
    for (let at = 0; at < alerts.length; at += AT_ONCE) {
      signal.throwIfAborted()
      const pushed = alerts.slice(at, at + AT_ONCE).map(async ({ browser, news }) => {
        const isAlive = await deliverPush(services, browser, JSON.stringify(watchMessage(news)), signal)
        if (!isAlive) await services.db.delete(watcher).where(eq(watcher.id, browser.id))
      })
      await Promise.all(pushed)
    }
    return true
  },
}

/** A visitor gets at most one alert about a thread in this time, unless the visitor opens the thread. */
const MIN_INTERVAL_MS = 30 * 60_000

type DueAlert = { browser: PushSubscription & { id: number }; news: WatchedNews }

/** Finds the watchers of published posts, and marks them as alerted. @returns the alerts to send */
async function findDueAlerts(tx: Transaction, postIds: number[], now: Date): Promise<DueAlert[]> {
  const alerts: DueAlert[] = []
  for (const published of await readPosts(tx, postIds)) {
    const { id, threadId, boardId, title, content } = published
    const about = {
      ...{ threadId, title, path: `${threadPath(boardId, threadId)}#p${id}` },
      excerpt: excerpt(content, watchLimits.excerpt, { skipQuotes: true }),
    }
    const alerted = { alertedId: id, alertedAt: now }
    for (const { isReply, ...browser } of await findWatchers(tx, published, now)) {
      alerts.push({ browser, news: { ...about, isReply } })
      await tx
        .insert(watchedThread)
        .values({ watcherId: browser.id, threadId, isWatched: false, readId: 0, ...alerted })
        .onConflictDoUpdate({ target: [watchedThread.watcherId, watchedThread.threadId], set: alerted })
    }
  }
  return alerts
}

type Published = Awaited<ReturnType<typeof readPosts>>[number]

/** Reads the posts that still exist. */
async function readPosts(tx: Transaction, ids: number[]) {
  if (ids.length === 0) return []
  const rows = await tx
    .select({
      id: livePost.id,
      threadId: livePost.threadId,
      parentId: livePost.parentId,
      content: sql<string>`left(${livePost.content}, ${excerptSource})`,
      title: thread.title,
      boardId: thread.boardId,
    })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .where(and(inArray(livePost.id, ids), isNull(thread.deletedAt), isNull(board.deletedAt)))
    .orderBy(livePost.id)
  const quotes = await tx.select().from(quote).where(inArray(quote.fromId, ids))
  return rows.map((row) => {
    const quoted = quotes.filter(({ fromId }) => fromId === row.id).map(({ toId }) => toId)
    return { ...row, answered: row.parentId === null ? quoted : [row.parentId, ...quoted] }
  })
}

/** Returns the browsers to alert: their visitor has neither written nor seen the post, nor an earlier alert. */
async function findWatchers(tx: Transaction, { id, threadId, answered }: Published, now: Date) {
  const isIn = (ids: number[]) => sql`exists (select from ${watchedPost}
    where ${watchedPost.watcherId} = ${watcher.id} and ${watchedPost.postId} = any(${idList(ids)}))`
  const since = new Date(now.getTime() - MIN_INTERVAL_MS).toISOString()
  const candidates = sql`${watcher.id} in (
    select ${watchedThread.watcherId} from ${watchedThread} where ${watchedThread.threadId} = ${threadId} and ${watchedThread.isWatched}
    union select ${watchedPost.watcherId} from ${watchedPost} where ${watchedPost.postId} = any(${idList(answered)}))`
  const isUnread = or(isNull(watchedThread.readId), sql`${watchedThread.readId} < ${id}`)
  const isDue = sql`(${watchedThread.alertedAt} is null or ${watchedThread.alertedAt} <= ${since}::timestamptz
    or ${watchedThread.readId} >= ${watchedThread.alertedId})`
  return tx
    .select({
      ...{ id: watcher.id, endpoint: watcher.endpoint, p256dh: watcher.p256dh, auth: watcher.auth },
      isReply: sql<boolean>`${isIn(answered)}`,
    })
    .from(watcher)
    .leftJoin(watchedThread, and(eq(watchedThread.watcherId, watcher.id), eq(watchedThread.threadId, threadId)))
    .where(and(candidates, sql`not ${isIn([id])}`, isUnread, isDue))
}
