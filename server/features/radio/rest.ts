import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { listenerCountsSchema } from '#src/contract/listenerCountAnswers.ts'
import { nowPlayingSchema, stationSchema } from '#src/contract/radioAnswers.ts'
import { AZURACAST_WEBHOOK_PATH } from '#src/contract/radioWebhook.ts'
import { radioRouter } from './router.ts'

/** An AzuraCast sends what it plays and the last songs. */
const MAX_WEBHOOK_BYTES = 64 * 1024

export const radioRoutes = createRestRoutes(radioRouter, [
  {
    method: 'GET',
    path: '/api/radio/stations',
    summary: 'Lists the stations',
    answer: z.object({ stations: z.array(stationSchema), available: z.boolean() }),
    call: (api) => api.stations(),
  },
  {
    method: 'GET',
    path: '/api/radio/nowplaying/:stationId',
    summary: 'Reads what a station plays',
    answer: z.object({ nowPlaying: nowPlayingSchema }),
    call: async (api, input) => ({ nowPlaying: await api.nowPlaying(input) }),
  },
  {
    method: 'GET',
    path: '/api/radio/listeners',
    summary: 'Counts the listeners of a station that are connected to this site; for streamers and admins',
    access: 'member',
    statuses: { 404: 'There is no such station' },
    answer: z.object({ listeners: listenerCountsSchema }),
    call: async (api, input) => ({ listeners: await api.listenerCounts(input) }),
  },
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
    call: (api, input) => api.azuracastCall(input),
  },
])
