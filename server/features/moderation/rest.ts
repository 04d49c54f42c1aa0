import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { filterRoutes } from './filterRest.ts'
import { moderationRouter } from './router.ts'

const routes = createRestRoutes(createCallerFactory(moderationRouter), [
  { method: 'POST', path: '/api/moderation/act', call: (api, input) => api.act(input) },
  { method: 'POST', path: '/api/moderation/restore', call: (api, input) => api.restore(input) },
  {
    method: 'GET',
    path: '/api/moderation/log',
    call: async (api, input) => {
      const { entries, nextBefore } = await api.log(input)
      return { entries, nextBefore }
    },
  },
])

export const moderationRoutes = [...routes, ...filterRoutes]
