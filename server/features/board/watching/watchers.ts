import { and, eq, lt, notInArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { watchedPost, watchedThread, watcher } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { checkSubscription, checkVisitorEndpoint, readPushKey } from '#server/core/push/webPush.ts'
import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { unsubscribeForm } from '#src/contract/alerts.ts'
import { watcherForm, watchLimits } from '#src/contract/watching.ts'

/** Stores a browser that gets alerts, and replaces all that it watches. @throws AppError 400 */
async function saveWatcher(ctx: Context, form: z.output<typeof watcherForm>): Promise<void> {
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
    await tx
      .delete(watchedThread)
      .where(
        and(
          eq(watchedThread.watcherId, watcherId),
          ids.length > 0 ? notInArray(watchedThread.threadId, ids) : undefined,
        ),
      )
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
}

async function deleteWatcher({ db }: Pick<Services, 'db'>, endpoint: string): Promise<void> {
  await db.delete(watcher).where(eq(watcher.endpoint, endpoint))
}

const RENEW_MS = watchLimits.renewDays * 24 * 60 * 60 * 1000

/** Forgets browsers that have not visited the site for long. */
export async function deleteOldWatchers({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.delete(watcher).where(lt(watcher.renewedAt, new Date(now().getTime() - RENEW_MS)))
}

/** Alerts about watched threads and replies. The endpoint of a browser, which only the browser knows, grants access. */
export const watchingRouter = router({
  key: guestProcedure.query(({ ctx }) => readPushKey(ctx)),
  save: guestProcedure
    .input(watcherForm)
    .use(rateLimited('watch'))
    .mutation(({ ctx, input }) => saveWatcher(ctx, input)),
  delete: guestProcedure.input(unsubscribeForm).mutation(({ ctx, input }) => deleteWatcher(ctx, input.endpoint)),
})
