import { z } from 'zod'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  azuracastCall,
  listenerCountsInput,
  listenerCountsSchema,
  nowPlayingSchema,
  stationParams,
  stationSchema,
} from '#src/contract/radio.ts'
import { AZURACAST_WEBHOOK_PATH, receiveAzuracastCall } from './azuracast/webhook.ts'
import { readListenerCounts } from './output/listenerCounts.ts'

/** An AzuraCast sends what it plays and the last songs. */
const MAX_WEBHOOK_BYTES = 64 * 1024

export const radioRouter = router({
  stations: documented(
    guestProcedure.query(({ ctx }) => ctx.radio.stations()),
    {
      method: 'GET',
      path: '/api/radio/stations',
      summary: 'Lists the stations',
      answer: z.object({ stations: z.array(stationSchema), available: z.boolean() }),
    },
  ),
  nowPlaying: documented(
    guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.nowPlaying(input.stationId)),
    {
      method: 'GET',
      path: '/api/radio/nowplaying/:stationId',
      summary: 'Reads what a station plays',
      answer: z.object({ nowPlaying: nowPlayingSchema }),
      respond: (nowPlaying) => ({ nowPlaying }),
    },
  ),
  listenerCounts: documented(
    memberProcedure()
      .input(listenerCountsInput)
      .query(({ ctx, input }) => readListenerCounts(ctx, input, ctx.user)),
    {
      method: 'GET',
      path: '/api/radio/listeners',
      summary: 'Counts the listeners of a station that are connected to this site; for streamers and admins',
      statuses: { 404: 'There is no such station' },
      answer: z.object({ listeners: listenerCountsSchema }),
      respond: (listeners) => ({ listeners }),
    },
  ),
  azuracastCall: documented(
    guestProcedure.input(azuracastCall).mutation(({ ctx, input }) => receiveAzuracastCall(ctx, input)),
    {
      method: 'POST',
      path: AZURACAST_WEBHOOK_PATH,
      summary: 'Tells the site that an AzuraCast plays something else',
      answer: z.object({}),
      headers: { authorization: 'authorization' },
      // AzuraCast's form has only a URL for the token and the station.
      queryFields: ['token', 'station'],
      bodyBytes: MAX_WEBHOOK_BYTES,
      statuses: {
        401: 'The token is missing or wrong',
        404: '`AZURACAST_WEBHOOK_TOKEN` is not set, or the station does not exist',
      },
    },
  ),
})
