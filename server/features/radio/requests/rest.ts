import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { SONG_REQUESTS_PATH } from '#src/contract/radio.ts'
import { SONG_REQUESTS_CALL, songRequestsPath, TRACKS_CALL } from '#src/contract/songRequest.ts'
import { foundTrackSchema, songRequestSchema } from '#src/contract/songRequestAnswers.ts'
import { songRequestRouter } from './router.ts'

const OFF = 'The station takes no song requests'

export const songRequestRoutes = createRestRoutes(songRequestRouter, [
  {
    method: 'GET',
    path: TRACKS_CALL,
    summary: 'Finds tracks by words of artist and title, 20 at most. Without `q`, it lists the first tracks by name.',
    answer: z.object({ tracks: z.array(foundTrackSchema) }),
    statuses: { 404: OFF },
    call: async (api, input) => ({ tracks: await api.tracks(input) }),
  },
  {
    method: 'GET',
    path: SONG_REQUESTS_CALL,
    summary: 'Lists the waiting song requests in the order of play',
    answer: z.object({
      requests: z.array(songRequestSchema),
      streamerName: z.string().nullable().describe('the streamer on air, who decides what is played'),
    }),
    statuses: { 404: OFF },
    call: async (api) => {
      const { requests, streamerName } = await api.list()
      return { requests, streamerName }
    },
  },
  {
    method: 'POST',
    path: SONG_REQUESTS_CALL,
    summary: 'Requests a track of the station',
    answer: z.object({ request: songRequestSchema }),
    statuses: {
      403: 'The visitor is banned, or the site is read-only',
      404: 'The station takes no song requests, or has no such track',
      409: 'The track is waiting already or was requested a short while ago, or too many requests are waiting',
    },
    formPage: {
      path: ({ q }: { q?: unknown }) => songRequestsPath(typeof q === 'string' ? q : ''),
      next: ({ request }: { request: { id: number } }) => `${SONG_REQUESTS_PATH}#request-${request.id}`,
    },
    call: async (api, input) => ({ request: await api.create(input) }),
  },
  {
    method: 'DELETE',
    path: `${SONG_REQUESTS_CALL}/:id`,
    summary: 'Takes a request from the queue: for admins, and for the streamer on air. `outcome` is skipped or played.',
    answer: null,
    access: 'member',
    statuses: { 404: 'The request is not waiting', 409: 'The request is about to be played' },
    call: (api, input) => api.finish(input),
  },
])
