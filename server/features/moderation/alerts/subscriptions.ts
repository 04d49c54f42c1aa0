import { and, desc, eq, inArray } from 'drizzle-orm'
import { pushSubscription } from '#db/schema/index.ts'
import { checkSubscription, readPushKey } from '#server/core/push/webPush.ts'
import { moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import { alertLimits, subscriptionForm, unsubscribeForm } from '#src/contract/alerts.ts'

export const alertRouter = router({
  key: moderatorProcedure.query(({ ctx }) => readPushKey(ctx)),
  /** Stores a browser that receives alerts. Keeps the newest subscriptions of the user. @throws AppError 400 */
  subscribe: moderatorProcedure.input(subscriptionForm).mutation(async ({ ctx, input }) => {
    checkSubscription(ctx, input)
    const { endpoint, keys } = input
    const values = { userId: ctx.user.id, ...keys, createdAt: ctx.now() }
    await ctx.db.transaction(async (tx) => {
      await tx
        .insert(pushSubscription)
        .values({ endpoint, ...values })
        .onConflictDoUpdate({ target: pushSubscription.endpoint, set: values })
      const oldest = tx
        .select({ id: pushSubscription.id })
        .from(pushSubscription)
        .where(eq(pushSubscription.userId, ctx.user.id))
        .orderBy(desc(pushSubscription.createdAt), desc(pushSubscription.id))
        .offset(alertLimits.subscriptionsPerUser)
      await tx.delete(pushSubscription).where(inArray(pushSubscription.id, oldest))
    })
  }),
  unsubscribe: moderatorProcedure.input(unsubscribeForm).mutation(async ({ ctx, input }) => {
    const isOwn = and(eq(pushSubscription.endpoint, input.endpoint), eq(pushSubscription.userId, ctx.user.id))
    await ctx.db.delete(pushSubscription).where(isOwn)
  }),
})
