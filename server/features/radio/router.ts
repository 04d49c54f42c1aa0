import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { azuracastCall, listenerCountsInput, stationParams } from '#src/contract/radioForms.ts'
import { receiveAzuracastCall } from './azuracastWebhook.ts'
import { readListenerCounts } from './listenerCounts/listenerCounts.ts'

export const radioRouter = router({
  stations: guestProcedure.query(({ ctx }) => ctx.radio.stations()),
  nowPlaying: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.nowPlaying(input.stationId)),
  listenerCounts: memberProcedure()
    .input(listenerCountsInput)
    .query(({ ctx, input }) => readListenerCounts(ctx, input, ctx.user)),
  azuracastCall: guestProcedure.input(azuracastCall).mutation(({ ctx, input }) => receiveAzuracastCall(ctx, input)),
})
