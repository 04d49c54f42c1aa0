import type { RestRow } from '../../restRow.ts'

export const siteRows: RestRow[] = [{ method: 'POST', path: '/api/dtpchan/captcha', call: (api) => api.site.captcha() }]
