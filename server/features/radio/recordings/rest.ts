import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { recordedBroadcastSchema } from '#src/contract/recordingAnswers.ts'
import { recordingRouter } from './router.ts'

const PATH = '/api/radio/broadcasts/:id'

export const recordingRoutes = createRestRoutes(recordingRouter, [
  {
    method: 'GET',
    path: PATH,
    summary: 'Reads a recorded broadcast with its tracklist',
    answer: z.object({ broadcast: recordedBroadcastSchema }),
    call: async (api, input) => ({ broadcast: await api.read(input) }),
  },
  {
    method: 'PUT',
    path: PATH,
    summary: 'Renames or hides a recording, or replaces its tracklist',
    answer: null,
    access: 'member',
    call: (api, input) => api.update(input),
  },
  {
    method: 'DELETE',
    path: PATH,
    summary: 'Deletes a recording',
    answer: null,
    access: 'member',
    call: (api, input) => api.delete(input),
  },
])
