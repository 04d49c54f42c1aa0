import { readPushKey } from '#server/core/push/checkSubscription.ts'
import { moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import { subscriptionForm, unsubscribeForm } from '#src/contract/alerts.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

export const alertRouter = router({
  key: moderatorProcedure.query(({ ctx }) => readPushKey(ctx)),
  subscribe: moderatorProcedure.input(subscriptionForm).mutation(({ ctx, input }) => subscribe(ctx, input, ctx.user)),
  unsubscribe: moderatorProcedure
    .input(unsubscribeForm)
    .mutation(({ ctx, input }) => unsubscribe(ctx, input, ctx.user)),
})
