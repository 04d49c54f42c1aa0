import { readPushKey } from '#server/core/push/checkSubscription.ts'
import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { unsubscribeForm } from '#src/contract/alerts.ts'
import { watcherForm } from '#src/contract/watching.ts'
import { deleteWatcher, saveWatcher } from './watchers.ts'

/** Alerts about watched threads and replies. The endpoint of a browser, which only the browser knows, grants access. */
export const watchingRouter = router({
  key: guestProcedure.query(({ ctx }) => readPushKey(ctx)),
  save: guestProcedure
    .input(watcherForm)
    .use(rateLimited('watch'))
    .mutation(({ ctx, input }) => saveWatcher(ctx, input)),
  delete: guestProcedure.input(unsubscribeForm).mutation(({ ctx, input }) => deleteWatcher(ctx, input.endpoint)),
})
