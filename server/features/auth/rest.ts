import type { RestRow } from '../../restRow.ts'

export const authRows: RestRow[] = [
  { method: 'POST', path: '/api/dtpchan/admin/login', call: (api, input) => api.auth.login(input) },
  { method: 'POST', path: '/api/dtpchan/admin/logout', call: (api) => api.auth.logout() },
  { method: 'POST', path: '/api/dtpchan/admin/password', call: (api, input) => api.auth.changePassword(input) },
]
