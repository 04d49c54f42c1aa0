import type { RestRow } from '../../restRow.ts'

const PROGRAMS = '/api/programs'

export const programRows: RestRow[] = [
  { method: 'GET', path: PROGRAMS, call: async (api) => ({ programs: (await api.program.list()).programs }) },
  { method: 'POST', path: PROGRAMS, call: async (api, input) => ({ program: await api.program.create(input) }) },
  {
    method: 'PUT',
    path: `${PROGRAMS}/:id`,
    call: async (api, input) => ({ program: await api.program.update(input) }),
  },
  { method: 'DELETE', path: `${PROGRAMS}/:id`, call: (api, input) => api.program.delete(input) },
]
