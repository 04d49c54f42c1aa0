import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { filterRouter } from './filterRouter.ts'

const FILTERS = '/api/moderation/filters'

export const filterRoutes = createRestRoutes(createCallerFactory(filterRouter), [
  { method: 'GET', path: FILTERS, call: async (api) => ({ filters: await api.list() }) },
  { method: 'POST', path: FILTERS, call: async (api, input) => ({ filter: await api.create(input) }) },
  { method: 'POST', path: `${FILTERS}/dry-run`, call: (api, input) => api.dryRun(input) },
  { method: 'PUT', path: `${FILTERS}/:id`, call: async (api, input) => ({ filter: await api.update(input) }) },
  { method: 'DELETE', path: `${FILTERS}/:id`, call: (api, input) => api.delete(input) },
])
