import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { filterDryRunSchema, filterSchema } from '#src/contract/filterAnswers.ts'
import { filterRouter } from './filterRouter.ts'

const FILTERS = '/api/moderation/filters'
const answer = z.object({ filter: filterSchema })

export const filterRoutes = createRestRoutes(filterRouter, [
  {
    method: 'GET',
    path: FILTERS,
    summary: 'Lists the filters, newest first',
    answer: z.object({ filters: z.array(filterSchema) }),
    access: 'admin',
    call: async (api) => ({ filters: await api.list() }),
  },
  {
    method: 'POST',
    path: FILTERS,
    summary: 'Creates a filter',
    answer,
    access: 'admin',
    statuses: { 409: 'The filter exists, or there are too many' },
    call: async (api, input) => ({ filter: await api.create(input) }),
  },
  {
    method: 'POST',
    path: `${FILTERS}/dry-run`,
    summary: 'Finds what a filter would have caught among the posts of the last week',
    answer: filterDryRunSchema,
    access: 'admin',
    call: (api, input) => api.dryRun(input),
  },
  {
    method: 'PUT',
    path: `${FILTERS}/:id`,
    summary: 'Changes a filter',
    answer,
    access: 'admin',
    statuses: { 409: 'Another filter is the same' },
    call: async (api, input) => ({ filter: await api.update(input) }),
  },
  {
    method: 'DELETE',
    path: `${FILTERS}/:id`,
    summary: 'Deletes a filter',
    answer: null,
    access: 'admin',
    call: (api, input) => api.delete(input),
  },
])
