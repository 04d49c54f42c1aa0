import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { articlePageSchema } from '#src/contract/newsAnswers.ts'
import { newsRouter } from './router.ts'

export const newsRoutes = createRestRoutes(newsRouter, [
  {
    method: 'GET',
    path: '/api/tech-articles',
    summary: 'Lists articles of the news feeds, newest first',
    answer: articlePageSchema,
    call: (api, input) => api.list(input),
  },
])
