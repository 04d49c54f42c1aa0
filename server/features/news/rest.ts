import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { newsRouter } from './router.ts'

export const newsRoutes = createRestRoutes(createCallerFactory(newsRouter), [
  { method: 'GET', path: '/api/tech-articles', numbers: ['page'], call: (api, input) => api.list(input) },
])
