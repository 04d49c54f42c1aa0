import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { broadcastSchema, streamerSchema } from '#src/contract/archiveAnswers.ts'
import { archiveRouter } from './router.ts'

const STATION = '/api/radio/station/:stationId'

export const archiveRoutes = createRestRoutes(archiveRouter, [
  {
    method: 'GET',
    path: `${STATION}/streamers`,
    summary: 'Lists the streamers of a station',
    answer: z.object({ streamers: z.array(streamerSchema), available: z.boolean() }),
    call: (api, input) => api.streamers(input),
  },
  {
    method: 'GET',
    path: `${STATION}/streamer/:streamerId/broadcasts`,
    summary: 'Lists the broadcasts of a streamer, newest first',
    answer: z.object({ broadcasts: z.array(broadcastSchema), available: z.boolean() }),
    call: (api, input) => api.broadcasts(input),
  },
])
