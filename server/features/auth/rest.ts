import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { authRouter } from './router.ts'

export const authRoutes = createRestRoutes(createCallerFactory(authRouter), [
  { method: 'POST', path: '/api/dtpchan/admin/login', call: (api, input) => api.login(input) },
  { method: 'POST', path: '/api/dtpchan/admin/logout', call: (api) => api.logout() },
  { method: 'POST', path: '/api/dtpchan/admin/password', call: (api, input) => api.changePassword(input) },
])
