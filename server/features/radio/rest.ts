import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { nowPlayingSchema, stationSchema } from '#src/contract/radioAnswers.ts'
import { radioRouter } from './router.ts'

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
])
