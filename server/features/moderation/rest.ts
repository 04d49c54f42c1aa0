import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { REPORT_CALL, REPORT_PATH } from '#src/contract/reportPaths.ts'
import { banRoutes } from './banRest.ts'
import { blockedImageRoutes } from './blockedImageRest.ts'
import { filterRoutes } from './filterRest.ts'
import { heldRoutes } from './heldRest.ts'
import { moderationRouter } from './router.ts'

const routes = createRestRoutes(createCallerFactory(moderationRouter), [
  { method: 'POST', path: '/api/moderation/act', call: (api, input) => api.act(input) },
  { method: 'GET', path: '/api/moderation/poster', call: (api, input) => api.poster(input) },
  { method: 'POST', path: '/api/moderation/poster/delete', call: (api, input) => api.removePoster(input) },
  { method: 'POST', path: '/api/moderation/restore', call: (api, input) => api.restore(input) },
  {
    method: 'GET',
    path: '/api/moderation/log',
    call: async (api, input) => {
      const { entries, nextBefore } = await api.log(input)
      return { entries, nextBefore }
    },
  },
  { method: 'POST', path: REPORT_CALL, formPage: { path: REPORT_PATH }, call: (api, input) => api.report(input) },
  { method: 'GET', path: '/api/moderation/queue', call: (api, input) => api.queue(input) },
  { method: 'POST', path: `${REPORT_CALL}/:reportId`, call: (api, input) => api.resolve(input) },
  { method: 'POST', path: '/api/moderation/takedowns', call: (api, input) => api.takedown(input) },
])

export const moderationRoutes = [...routes, ...filterRoutes, ...blockedImageRoutes, ...heldRoutes, ...banRoutes]
