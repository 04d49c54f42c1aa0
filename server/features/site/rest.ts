import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { siteRouter } from './router.ts'

export const siteRoutes = createRestRoutes(createCallerFactory(siteRouter), [
  { method: 'POST', path: '/api/dtpchan/captcha', call: (api) => api.captcha() },
])
