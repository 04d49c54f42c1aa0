import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { programSchema } from '#src/contract/programAnswers.ts'
import { programRouter } from './router.ts'

const PROGRAMS = '/api/programs'
const answer = z.object({ program: programSchema })

export const programRoutes = createRestRoutes(programRouter, [
  {
    method: 'GET',
    path: PROGRAMS,
    summary: 'Lists the programs',
    answer: z.object({ programs: z.array(programSchema) }),
    call: async (api) => ({ programs: (await api.list()).programs }),
  },
  {
    method: 'POST',
    path: PROGRAMS,
    summary: 'Adds a program',
    answer,
    access: 'member',
    call: async (api, input) => ({ program: await api.create(input) }),
  },
  {
    method: 'PUT',
    path: `${PROGRAMS}/:id`,
    summary: 'Changes a program',
    answer,
    access: 'member',
    statuses: { 409: 'The program has changed since `updatedAt`' },
    call: async (api, input) => ({ program: await api.update(input) }),
  },
  {
    method: 'DELETE',
    path: `${PROGRAMS}/:id`,
    summary: 'Deletes a program',
    answer: null,
    access: 'member',
    call: (api, input) => api.delete(input),
  },
])
