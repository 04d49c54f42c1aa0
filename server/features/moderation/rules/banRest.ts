import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { APPEAL_CALL, APPEAL_PATH } from '#src/contract/appealPaths.ts'
import { banPageSchema } from '#src/contract/banAnswers.ts'
import { banRouter } from './banRouter.ts'

const BANS = '/api/moderation/bans'
const BAN = `${BANS}/:banId` as const

export const banRoutes = createRestRoutes(banRouter, [
  {
    method: 'GET',
    path: BANS,
    summary: 'Lists 50 live bans, newest first; with `appeals`, only those with an open appeal',
    answer: banPageSchema,
    access: 'moderator',
    call: (api, input) => api.list(input),
  },
  {
    method: 'POST',
    path: BANS,
    summary:
      'Bans the poster of an item. `itemId` is the number of a post, or the id in the URL of a paste or shared image.',
    answer: z.object({ ban: z.object({ id: z.int() }) }),
    access: 'moderator',
    statuses: { 404: 'The item does not exist', 409: 'The site no longer knows who posted the item' },
    call: async (api, input) => ({ ban: await api.create(input) }),
  },
  {
    method: 'POST',
    path: `${BAN}/lift`,
    summary: 'Ends a ban',
    answer: null,
    access: 'moderator',
    call: (api, input) => api.lift(input),
  },
  {
    method: 'POST',
    path: `${BAN}/answer`,
    summary: 'Answers the appeal of a ban',
    answer: null,
    access: 'moderator',
    statuses: { 409: 'The ban has no open appeal' },
    call: (api, input) => api.answer(input),
  },
  {
    method: 'POST',
    path: APPEAL_CALL,
    summary: 'Appeals a ban, once, with the token of its notice',
    answer: null,
    statuses: { 404: 'The token is wrong', 409: 'The ban was appealed already, or it has ended' },
    formPage: { path: APPEAL_PATH },
    call: (api, input) => api.appeal(input),
  },
])
