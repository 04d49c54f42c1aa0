import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { SHOWS_CALL } from '#src/contract/show.ts'
import { occurrenceSchema, showSchema } from '#src/contract/showAnswers.ts'
import { showRouter } from './router.ts'

const answer = z.object({ show: showSchema })
const ONLY_OWN = 'Only streamers may plan shows, each streamer their own, and admins all'

export const showRoutes = createRestRoutes(showRouter, [
  {
    method: 'GET',
    path: '/api/radio/schedule',
    summary: 'Lists when shows take place, earliest first, at most 500 times',
    answer: z.object({ occurrences: z.array(occurrenceSchema) }),
    call: async (api, input) => ({ occurrences: (await api.schedule(input)).occurrences }),
  },
  {
    method: 'POST',
    path: SHOWS_CALL,
    summary: 'Adds a show to the schedule',
    answer,
    access: 'member',
    statuses: {
      403: ONLY_OWN,
      404: 'There is no streamer with this name',
      409: 'The show overlaps with another one within the next year, or the streamer has too many shows',
    },
    keepsOtherFiles: true,
    limits: { rate: 'upload', storage: 'image' },
    call: async (api, input) => ({ show: await api.create(input) }),
  },
  {
    method: 'PUT',
    path: `${SHOWS_CALL}/:id`,
    summary: 'Changes a show. Its image stays unless there is another one, or `removeImage` is true.',
    answer,
    access: 'member',
    statuses: {
      403: ONLY_OWN,
      409: 'The show overlaps with another one within the next year, or has changed since `updatedAt`',
    },
    keepsOtherFiles: true,
    limits: { rate: 'upload', storage: 'image' },
    call: async (api, input) => ({ show: await api.update(input) }),
  },
  {
    method: 'DELETE',
    path: `${SHOWS_CALL}/:id`,
    summary: 'Deletes a show. Recordings of it stay.',
    answer: null,
    access: 'member',
    statuses: { 403: ONLY_OWN },
    call: (api, input) => api.delete(input),
  },
])
