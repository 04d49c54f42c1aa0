import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { switchSchema } from '#src/contract/switchAnswers.ts'
import { switchRouter } from './switchRouter.ts'

const SWITCHES = '/api/moderation/switches'
const answer = z.object({ switches: z.array(switchSchema) })

export const switchRoutes = createRestRoutes(switchRouter, [
  {
    method: 'GET',
    path: SWITCHES,
    summary: 'Lists the switches of the site',
    answer,
    access: 'admin',
    call: async (api) => ({ switches: await api.list() }),
  },
  {
    method: 'PUT',
    path: `${SWITCHES}/:name`,
    summary: 'Turns a switch on or off',
    answer,
    access: 'admin',
    call: async (api, input) => ({ switches: await api.set(input) }),
  },
])
