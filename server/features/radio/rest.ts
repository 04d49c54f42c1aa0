import type { RestRow } from '../../restRow.ts'

export const radioRows: RestRow[] = [
  { method: 'GET', path: '/api/radio/stations', call: (api) => api.radio.stations() },
  {
    method: 'GET',
    path: '/api/radio/nowplaying/:stationId',
    call: async (api, input) => ({ nowPlaying: await api.radio.nowPlaying(input) }),
  },
]
