import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { archiveRouter } from './router.ts'

const STATION = '/api/radio/station/:stationId'

export const archiveRoutes = createRestRoutes(createCallerFactory(archiveRouter), [
  { method: 'GET', path: `${STATION}/streamers`, call: (api, input) => api.streamers(input) },
  {
    method: 'GET',
    path: `${STATION}/streamer/:streamerId/broadcasts`,
    call: (api, input) => api.broadcasts(input),
  },
])
