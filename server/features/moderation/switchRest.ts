import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { switchRouter } from './switchRouter.ts'

const SWITCHES = '/api/moderation/switches'

export const switchRoutes = createRestRoutes(createCallerFactory(switchRouter), [
  { method: 'GET', path: SWITCHES, call: async (api) => ({ switches: await api.list() }) },
  {
    method: 'PUT',
    path: `${SWITCHES}/:name`,
    flags: ['on'],
    call: async (api, input) => ({ switches: await api.set(input) }),
  },
])
