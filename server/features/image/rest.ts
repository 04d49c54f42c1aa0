import type { RestRow } from '../../restRow.ts'

const SHARES = '/api/image-share'
const SHARE = `${SHARES}/:id` as const

export const imageRows: RestRow[] = [
  {
    method: 'POST',
    path: SHARES,
    numbers: ['expiryHours'],
    otherFiles: 'hand over',
    counts: { limit: 'upload', stores: 'image' },
    call: (api, input) => api.image.create(input),
  },
  {
    method: 'GET',
    path: SHARE,
    call: async (api, input) => ({ imageShare: (await api.image.share(input)).share }),
  },
  { method: 'POST', path: `${SHARE}/delete`, call: (api, input) => api.image.delete(input) },
]
