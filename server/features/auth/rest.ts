import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { loginSchema } from '#src/contract/authAnswers.ts'
import { authRouter } from './router.ts'

export const authRoutes = createRestRoutes(authRouter, [
  {
    method: 'POST',
    path: '/api/dtpchan/admin/login',
    summary: 'Logs in. `code` is of the authenticator app, or a recovery code; only for users with a second factor.',
    answer: loginSchema,
    statuses: { 401: 'The email, password or code is wrong, or the code is missing' },
    call: (api, input) => api.login(input),
  },
  {
    method: 'POST',
    path: '/api/dtpchan/admin/logout',
    summary: 'Ends the session of the token',
    answer: null,
    access: 'member',
    call: (api) => api.logout(),
  },
  {
    method: 'POST',
    path: '/api/dtpchan/admin/password',
    summary: "Changes the password, and ends the user's other sessions",
    answer: null,
    access: 'member',
    call: (api, input) => api.changePassword(input),
  },
])
