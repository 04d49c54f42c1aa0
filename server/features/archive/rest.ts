import type { RestRow } from '../../restRow.ts'

const STATION = '/api/radio/station/:stationId'

export const archiveRows: RestRow[] = [
  { method: 'GET', path: `${STATION}/streamers`, call: (api, input) => api.archive.streamers(input) },
  {
    method: 'GET',
    path: `${STATION}/streamer/:streamerId/broadcasts`,
    call: (api, input) => api.archive.broadcasts(input),
  },
]
