import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import {
  actionResultSchema,
  logPageSchema,
  posterSchema,
  removePosterResultSchema,
  restoreResultSchema,
} from '#src/contract/moderationAnswers.ts'
import { queueSchema } from '#src/contract/queueAnswers.ts'
import { REPORT_CALL, REPORT_PATH } from '#src/contract/reportPaths.ts'
import { moderationRouter } from './moderationRouter.ts'
import { heldRoutes } from './queue/heldRest.ts'
import { banRoutes } from './rules/banRest.ts'
import { blockedImageRoutes } from './rules/blockedImageRest.ts'
import { filterRoutes } from './rules/filterRest.ts'

const NO_POST = { 404: 'The board or the post does not exist' }

const routes = createRestRoutes(moderationRouter, [
  {
    method: 'POST',
    path: '/api/moderation/act',
    summary: 'Acts on a post. Only threads can be locked and pinned.',
    answer: actionResultSchema,
    access: 'moderator',
    statuses: { ...NO_POST, 409: 'The board has 10 pinned threads' },
    call: (api, input) => api.act(input),
  },
  {
    method: 'GET',
    path: '/api/moderation/poster',
    summary: "Counts the posts of a post's poster",
    answer: posterSchema,
    access: 'moderator',
    statuses: NO_POST,
    call: (api, input) => api.poster(input),
  },
  {
    method: 'POST',
    path: '/api/moderation/poster/delete',
    summary: "Deletes the posts of a post's poster, bans the poster, or both. A ban needs a reason.",
    answer: removePosterResultSchema,
    access: 'moderator',
    statuses: { ...NO_POST, 409: 'The site no longer knows where the post came from' },
    call: (api, input) => api.removePoster(input),
  },
  {
    method: 'POST',
    path: '/api/moderation/restore',
    summary: 'Restores the posts that an entry of the log removed',
    answer: restoreResultSchema,
    access: 'moderator',
    statuses: {
      404: 'The log has no such entry',
      409: 'Nothing is left to restore, or the thread or comment of the posts is removed',
    },
    call: (api, input) => api.restore(input),
  },
  {
    method: 'GET',
    path: '/api/moderation/log',
    summary: 'Lists 50 entries of the public log, newest first',
    answer: logPageSchema,
    call: async (api, input) => {
      const { entries, nextBefore } = await api.log(input)
      return { entries, nextBefore }
    },
  },
  {
    method: 'POST',
    path: REPORT_CALL,
    summary:
      'Reports a post, paste, shared image or program by its URL. `post` is the number of a post, if the URL names a thread.',
    answer: null,
    statuses: { 404: 'There is nothing at this URL', 410: 'The item was taken down' },
    formPage: { path: REPORT_PATH },
    call: (api, input) => api.report(input),
  },
  {
    method: 'GET',
    path: '/api/moderation/queue',
    summary: 'Lists the first 10 reported items, held posts and appeals; with `after`, those after this cursor',
    answer: queueSchema,
    access: 'moderator',
    call: (api, input) => api.queue(input),
  },
  {
    method: 'POST',
    path: `${REPORT_CALL}/:reportId`,
    summary: 'Closes all reports of an item',
    answer: null,
    access: 'moderator',
    statuses: { 409: 'The reports are closed' },
    call: (api, input) => api.resolve(input),
  },
  {
    method: 'POST',
    path: '/api/moderation/takedowns',
    summary: 'Takes down the item at a URL',
    answer: null,
    access: 'moderator',
    statuses: { 404: 'There is nothing at this URL', 410: 'The item was taken down' },
    call: (api, input) => api.takedown(input),
  },
])

export const moderationRoutes = [...routes, ...filterRoutes, ...blockedImageRoutes, ...heldRoutes, ...banRoutes]
