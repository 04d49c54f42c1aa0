import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { radioRouter } from './router.ts'

export const radioRoutes = createRestRoutes(createCallerFactory(radioRouter), [
  { method: 'GET', path: '/api/radio/stations', call: (api) => api.stations() },
  {
    method: 'GET',
    path: '/api/radio/nowplaying/:stationId',
    call: async (api, input) => ({ nowPlaying: await api.nowPlaying(input) }),
  },
])
