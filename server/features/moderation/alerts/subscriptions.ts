import { and, desc, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { pushSubscription } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { checkSubscription, readPushKey } from '#server/core/push/webPush.ts'
import { moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import { alertLimits, subscriptionForm, unsubscribeForm } from '#src/contract/alerts.ts'

/** Stores a browser that receives alerts. Keeps the newest subscriptions of the user. @throws AppError 400 */
export async function subscribe(
  ctx: Context,
  form: z.output<typeof subscriptionForm>,
  user: SessionUser,
): Promise<void> {
  checkSubscription(ctx, form)
  const { endpoint, keys } = form
  const values = { userId: user.id, ...keys, createdAt: ctx.now() }
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(pushSubscription)
      .values({ endpoint, ...values })
      .onConflictDoUpdate({ target: pushSubscription.endpoint, set: values })
    const oldest = tx
      .select({ id: pushSubscription.id })
      .from(pushSubscription)
      .where(eq(pushSubscription.userId, user.id))
      .orderBy(desc(pushSubscription.createdAt), desc(pushSubscription.id))
      .offset(alertLimits.subscriptionsPerUser)
    await tx.delete(pushSubscription).where(inArray(pushSubscription.id, oldest))
  })
}

export async function unsubscribe(
  { db }: Context,
  { endpoint }: z.output<typeof unsubscribeForm>,
  user: SessionUser,
): Promise<void> {
  await db
    .delete(pushSubscription)
    .where(and(eq(pushSubscription.endpoint, endpoint), eq(pushSubscription.userId, user.id)))
}

export const alertRouter = router({
  key: moderatorProcedure.query(({ ctx }) => readPushKey(ctx)),
  subscribe: moderatorProcedure.input(subscriptionForm).mutation(({ ctx, input }) => subscribe(ctx, input, ctx.user)),
  unsubscribe: moderatorProcedure
    .input(unsubscribeForm)
    .mutation(({ ctx, input }) => unsubscribe(ctx, input, ctx.user)),
})
