import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { stationParams, streamerParams } from '#src/contract/radioForms.ts'
import { listBroadcasts } from './service.ts'

export const archiveRouter = router({
  lastEvent: guestProcedure.query(async ({ ctx }) => ({ lastEventId: await readLastEventId(ctx) })),
  streamers: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.streamers(input.stationId)),
  summaries: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.summaries(input.stationId)),
  broadcasts: guestProcedure.input(streamerParams).query(({ ctx, input }) => listBroadcasts(ctx, input)),
})
