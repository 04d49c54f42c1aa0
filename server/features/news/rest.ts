import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { restRoutes } from '#server/core/rpc/restRoute.ts'
import { newsRouter } from './router.ts'

export const newsRoutes = restRoutes(createCallerFactory(newsRouter), [
  { method: 'GET', path: '/api/tech-articles', numbers: ['page'], call: (api, input) => api.list(input) },
])
