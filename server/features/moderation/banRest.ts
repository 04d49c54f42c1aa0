import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { APPEAL_CALL, APPEAL_PATH } from '#src/contract/appealPaths.ts'
import { banRouter } from './banRouter.ts'

const BANS = '/api/moderation/bans'
const BAN = `${BANS}/:banId` as const

export const banRoutes = createRestRoutes(createCallerFactory(banRouter), [
  { method: 'GET', path: BANS, flags: ['appeals'], call: (api, input) => api.list(input) },
  { method: 'POST', path: BANS, call: async (api, input) => ({ ban: await api.create(input) }) },
  { method: 'POST', path: `${BAN}/lift`, call: (api, input) => api.lift(input) },
  { method: 'POST', path: `${BAN}/answer`, call: (api, input) => api.answer(input) },
  { method: 'POST', path: APPEAL_CALL, formPage: { path: APPEAL_PATH }, call: (api, input) => api.appeal(input) },
])
