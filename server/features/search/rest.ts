import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { searchPageSchema } from '#src/contract/searchAnswers.ts'
import { searchRouter } from './router.ts'

export const searchRoutes = createRestRoutes(searchRouter, [
  {
    method: 'GET',
    path: '/api/dtpchan/search',
    summary:
      'Finds published posts by words, `"phrases"`, `-excluded` words and `nick:name`, 20 per page. `from` and `to` are days such as 2026-01-31.',
    answer: searchPageSchema,
    statuses: { 404: 'There is no such board' },
    call: (api, input) => api.posts(input),
  },
])
