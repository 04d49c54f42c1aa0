import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import {
  ownStreamerSchema,
  sourceConnectionSchema,
  streamerSchema,
  streamPasswordSchema,
} from '#src/contract/streamerAnswers.ts'
import { streamerRouter } from './router.ts'

const STREAMERS = '/api/streamers'
const STREAMER = `${STREAMERS}/:email` as const
const NO_STREAMER = { 404: 'The user does not exist, or may not stream' }
const NAME_TAKEN = 'The name is taken or reserved'

export const streamerRoutes = createRestRoutes(streamerRouter, [
  {
    method: 'GET',
    path: '/api/streamer/connection',
    summary: 'Reads where sources of streamers connect; null if the radio of the site is an AzuraCast',
    answer: z.object({ connection: sourceConnectionSchema.nullable() }),
    call: async (api) => ({ connection: await api.connection() }),
  },
  {
    method: 'GET',
    path: '/api/streamer',
    summary: 'Reads the own streaming account; null if the user may not stream',
    answer: z.object({ streamer: ownStreamerSchema.nullable() }),
    access: 'member',
    call: async (api) => ({ streamer: await api.own() }),
  },
  {
    method: 'POST',
    path: '/api/streamer/password',
    summary: 'Replaces the own streaming password, and disconnects the own sources',
    answer: streamPasswordSchema,
    access: 'member',
    call: (api) => api.renewOwnPassword(),
  },
  {
    method: 'GET',
    path: STREAMERS,
    summary: 'Lists the users who may stream to the built-in station',
    answer: z.object({ streamers: z.array(streamerSchema) }),
    access: 'admin',
    call: async (api) => ({ streamers: await api.list() }),
  },
  {
    method: 'POST',
    path: STREAMERS,
    summary: 'Lets a user stream, and answers with the streaming password',
    answer: streamPasswordSchema,
    access: 'admin',
    statuses: { 404: 'The user does not exist', 409: `The user may stream already. ${NAME_TAKEN}` },
    call: (api, input) => api.allow(input),
  },
  {
    method: 'PUT',
    path: STREAMER,
    summary: 'Renames, disables or enables a streamer. Disabling disconnects the sources.',
    answer: z.object({ streamer: streamerSchema }),
    access: 'admin',
    statuses: { ...NO_STREAMER, 409: NAME_TAKEN },
    call: async (api, input) => ({ streamer: await api.change(input) }),
  },
  {
    method: 'POST',
    path: `${STREAMER}/password`,
    summary: 'Replaces a streaming password, and disconnects the sources',
    answer: streamPasswordSchema,
    access: 'admin',
    statuses: NO_STREAMER,
    call: (api, input) => api.renewPassword(input),
  },
  {
    method: 'DELETE',
    path: STREAMER,
    summary: 'Removes a streaming account with its shows. The user stays.',
    answer: null,
    access: 'admin',
    statuses: NO_STREAMER,
    call: (api, input) => api.remove(input),
  },
])
