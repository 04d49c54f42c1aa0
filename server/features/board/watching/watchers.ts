import { and, eq, lt, notInArray, sql } from 'drizzle-orm'
import { board, livePost, quote, thread, watchedPost, watchedThread, watcher } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { checkSubscription, checkVisitorEndpoint, readPushKey } from '#server/core/push/webPush.ts'
import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { unsubscribeForm } from '#src/contract/alerts.ts'
import { type ThreadUpdate, watcherForm, watchLimits } from '#src/contract/watching.ts'

/** A thread that a reader follows; `after` is the newest post that the reader has seen. */
type FollowedThread = { id: number; after: number }

/** Reads what is new in threads. Leaves out threads that do not exist. */
export async function readThreadUpdates({ db }: Pick<Services, 'db'>, followed: FollowedThread[]) {
  // Each lateral subquery has a limit, so that PostgreSQL looks the rows up in an index, thread by thread.
  const rows = await db.execute<{ update: ThreadUpdate }>(sql`
    select json_build_object('id', head.id, 'boardId', head.board_id, 'title', head.title, 'archived', head.archived,
      'count', head.posts, 'newestId', newest.id, 'firstUnreadId', first.id, 'unread', recent.posts) as update
    from jsonb_to_recordset(${JSON.stringify(followed)}::jsonb) as followed(id bigint, after bigint)
    cross join lateral (
      select t.id, t.board_id, t.title, t.archived_at is not null as archived,
        1 + t.comment_count + t.reply_count as posts
      from ${thread} t join ${board} b on b.id = t.board_id
      where t.id = followed.id and t.deleted_at is null and b.deleted_at is null limit 1) head
    cross join lateral (
      select p.id from ${livePost} p where p.thread_id = head.id order by p.thread_id desc, p.id desc limit 1) newest
    left join lateral (
      select p.id from ${livePost} p where p.thread_id = head.id and p.id > followed.after
      order by p.thread_id, p.id limit 1) first on true
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', unread.id, 'answers', unread.answers)), '[]') as posts from (
        select p.id, array(
          select p.parent_id where p.parent_id is not null
          union select q.to_id from ${quote} q where q.from_id = p.id) as answers
        from ${livePost} p where p.thread_id = head.id and p.id > followed.after
        order by p.thread_id desc, p.id desc limit ${watchLimits.answers}) unread) recent`)
  return { threads: rows.map(({ update }) => update) }
}

const RENEW_MS = watchLimits.renewDays * 24 * 60 * 60 * 1000

/** Forgets browsers that have not visited the site for long. */
export async function deleteOldWatchers({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.delete(watcher).where(lt(watcher.renewedAt, new Date(now().getTime() - RENEW_MS)))
}

/** Alerts about watched threads and replies. The endpoint of a browser, which only the browser knows, grants access. */
export const watchingRouter = router({
  key: guestProcedure.query(({ ctx }) => readPushKey(ctx)),
  /** Stores a browser that gets alerts, and replaces all that it watches. @throws AppError 400 */
  save: guestProcedure
    .input(watcherForm)
    .use(rateLimited('watch'))
    .mutation(async ({ ctx, input: form }) => {
      checkSubscription(ctx, form)
      checkVisitorEndpoint(ctx, form.endpoint)
      const { endpoint, keys } = form
      const values = { ...keys, renewedAt: ctx.now() }
      const threads = [...new Map(form.threads.map((thread) => [thread.id, thread])).values()]
      const posts = [...new Set(form.posts)]
      await ctx.db.transaction(async (tx) => {
        // The row's lock lets two calls of the same browser run one after the other.
        const [row] = await tx
          .insert(watcher)
          .values({ endpoint, ...values })
          .onConflictDoUpdate({ target: watcher.endpoint, set: values })
          .returning({ id: watcher.id })
        const watcherId = row?.id ?? 0
        const ids = threads.map(({ id }) => id)
        const isOld = ids.length > 0 ? notInArray(watchedThread.threadId, ids) : undefined
        await tx.delete(watchedThread).where(and(eq(watchedThread.watcherId, watcherId), isOld))
        if (threads.length > 0) {
          await tx
            .insert(watchedThread)
            .values(threads.map(({ id, readId, isWatched }) => ({ watcherId, threadId: id, readId, isWatched })))
            .onConflictDoUpdate({
              target: [watchedThread.watcherId, watchedThread.threadId],
              set: { readId: sql`excluded.read_id`, isWatched: sql`excluded.is_watched` },
            })
        }
        await tx.delete(watchedPost).where(eq(watchedPost.watcherId, watcherId))
        if (posts.length > 0) await tx.insert(watchedPost).values(posts.map((postId) => ({ watcherId, postId })))
      })
    }),
  delete: guestProcedure.input(unsubscribeForm).mutation(async ({ ctx, input }) => {
    await ctx.db.delete(watcher).where(eq(watcher.endpoint, input.endpoint))
  }),
})
