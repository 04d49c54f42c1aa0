import { z } from 'zod'
import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { broadcastSchema, streamerSchema } from '#src/contract/archive.ts'
import { stationParams, streamerParams } from '#src/contract/radio.ts'
import { listBroadcasts } from './service.ts'

const STATION = '/api/radio/station/:stationId'

export const archiveRouter = router({
  lastEvent: guestProcedure.query(async ({ ctx }) => ({ lastEventId: await readLastEventId(ctx) })),
  streamers: documented(
    guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.streamers(input.stationId)),
    {
      method: 'GET',
      path: `${STATION}/streamers`,
      summary: 'Lists the streamers of a station',
      answer: z.object({ streamers: z.array(streamerSchema), available: z.boolean() }),
    },
  ),
  summaries: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.summaries(input.stationId)),
  broadcasts: documented(
    guestProcedure.input(streamerParams).query(({ ctx, input }) => listBroadcasts(ctx, input)),
    {
      method: 'GET',
      path: `${STATION}/streamer/:streamerId/broadcasts`,
      summary: 'Lists the broadcasts of a streamer, newest first',
      answer: z.object({ broadcasts: z.array(broadcastSchema), available: z.boolean() }),
    },
  ),
})
