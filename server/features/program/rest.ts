import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { programRouter } from './router.ts'

const PROGRAMS = '/api/programs'

export const programRoutes = createRestRoutes(createCallerFactory(programRouter), [
  { method: 'GET', path: PROGRAMS, call: async (api) => ({ programs: (await api.list()).programs }) },
  { method: 'POST', path: PROGRAMS, call: async (api, input) => ({ program: await api.create(input) }) },
  {
    method: 'PUT',
    path: `${PROGRAMS}/:id`,
    call: async (api, input) => ({ program: await api.update(input) }),
  },
  { method: 'DELETE', path: `${PROGRAMS}/:id`, call: (api, input) => api.delete(input) },
])
