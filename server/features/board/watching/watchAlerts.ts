import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, livePost, quote, thread, watchedPost, watchedThread, watcher } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { insertMessages, takeMessages } from '#server/core/outbox/outbox.ts'
import type { Outlet } from '#server/core/outbox/outboxJob.ts'
import { deliverPush, type PushSubscription } from '#server/core/push/webPush.ts'
import { idList } from '#server/features/board/quotes.ts'
import { threadPath } from '#src/contract/thread.ts'
import { watchLimits, watchMessage } from '#src/contract/watching.ts'
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
      await Promise.all(alerts.slice(at, at + AT_ONCE).map((alert) => push(services, alert, signal)))
    }
    return true
  },
}

async function push(services: Services, { watcher: browser, news }: DueAlert, signal: AbortSignal): Promise<void> {
  const isAlive = await deliverPush(services, browser, JSON.stringify(watchMessage(news)), signal)
  if (!isAlive) await services.db.delete(watcher).where(eq(watcher.id, browser.id))
}

/** A visitor gets at most one alert about a thread in this time, unless the visitor opens the thread. */
const MIN_INTERVAL_MS = 30 * 60_000

type Watcher = PushSubscription & { id: number }
type News = { threadId: number; title: string; excerpt: string; path: string; isReply: boolean }
type DueAlert = { watcher: Watcher; news: News }

/** Finds the watchers of published posts, and marks them as alerted. @returns the alerts to send */
async function findDueAlerts(tx: Transaction, postIds: number[], now: Date): Promise<DueAlert[]> {
  const posts = await readPosts(tx, postIds)
  const alerts: DueAlert[] = []
  for (const one of posts) {
    for (const found of await findWatchers(tx, one, now)) {
      alerts.push({ watcher: found.watcher, news: newsOf(one, found.isReply) })
      await noteAlert(tx, found.watcher.id, one, now)
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
  const rows = await tx
    .select({
      ...{ id: watcher.id, endpoint: watcher.endpoint, p256dh: watcher.p256dh, auth: watcher.auth },
      isReply: sql<boolean>`${isIn(answered)}`,
    })
    .from(watcher)
    .leftJoin(watchedThread, and(eq(watchedThread.watcherId, watcher.id), eq(watchedThread.threadId, threadId)))
    .where(
      and(
        candidates,
        sql`not ${isIn([id])}`,
        or(isNull(watchedThread.readId), sql`${watchedThread.readId} < ${id}`),
        sql`(${watchedThread.alertedAt} is null or ${watchedThread.alertedAt} <= ${since}::timestamptz
          or ${watchedThread.readId} >= ${watchedThread.alertedId})`,
      ),
    )
  return rows.map(({ isReply, ...found }) => ({ watcher: found, isReply }))
}

async function noteAlert(tx: Transaction, watcherId: number, { id, threadId }: Published, now: Date): Promise<void> {
  const alerted = { alertedId: id, alertedAt: now }
  await tx
    .insert(watchedThread)
    .values({ watcherId, threadId, isWatched: false, readId: 0, ...alerted })
    .onConflictDoUpdate({ target: [watchedThread.watcherId, watchedThread.threadId], set: alerted })
}

const newsOf = ({ id, threadId, boardId, title, content }: Published, isReply: boolean): News => ({
  ...{ threadId, title, isReply },
  excerpt: excerpt(content, watchLimits.excerpt, { skipQuotes: true }),
  path: `${threadPath(boardId, threadId)}#p${id}`,
})
