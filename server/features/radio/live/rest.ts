import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { connectedSourceSchema, liveSchema } from '#src/contract/liveSourceAnswers.ts'
import { liveRouter } from './router.ts'

const SOURCES = '/api/radio/sources'

export const liveRoutes = createRestRoutes(liveRouter, [
  {
    method: 'GET',
    path: '/api/radio/live/:stationId',
    summary: 'Reads who is on air',
    answer: z.object({ live: liveSchema.nullable() }),
    call: async (api, input) => ({ live: await api.onAir(input) }),
  },
  {
    method: 'GET',
    path: SOURCES,
    summary: 'Lists the connected live sources: all for admins, their own for streamers',
    answer: z.object({ sources: z.array(connectedSourceSchema) }),
    access: 'member',
    call: async (api) => ({ sources: await api.sources() }),
  },
  {
    method: 'POST',
    path: `${SOURCES}/:id/takeover`,
    summary: 'Puts a live source on air at once',
    answer: null,
    access: 'admin',
    statuses: { 409: 'The source uses the mount of the level test' },
    call: (api, input) => api.takeOver(input),
  },
  {
    method: 'DELETE',
    path: `${SOURCES}/:id`,
    summary: 'Disconnects a live source: any for admins, their own for streamers',
    answer: null,
    access: 'member',
    call: (api, input) => api.disconnect(input),
  },
])
