import type { RestRow } from '../../restRow.ts'

export const newsRows: RestRow[] = [
  { method: 'GET', path: '/api/tech-articles', numbers: ['page'], call: (api, input) => api.news.list(input) },
]
