import {
  guestProcedure,
  memberProcedure,
  moderatorProcedure,
  rateLimited,
  router,
} from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { listLog } from '#server/features/moderation/log/log.ts'
import { filterRouter } from '#server/features/moderation/rules/filters.ts'
import { logInput, logPageSchema, restoreInput, restoreResultSchema } from '#src/contract/log.ts'
import {
  actInput,
  actionResultSchema,
  posterInput,
  posterSchema,
  removePosterInput,
  removePosterResultSchema,
} from '#src/contract/moderation.ts'
import { queueInput, queueSchema } from '#src/contract/queue.ts'
import { REPORT_CALL, REPORT_PATH, reportForm, resolveForm, takedownForm } from '#src/contract/reports.ts'
import { alertRouter } from './alerts/subscriptions.ts'
import { moderatePost } from './log/moderatePost.ts'
import { restorePosts } from './log/restorePosts.ts'
import { heldRouter } from './queue/heldCalls.ts'
import { readQueue, readWaiting } from './queue/queue.ts'
import { createReport } from './reports/reports.ts'
import { resolveReport, takeDownUrl } from './reports/resolveReport.ts'
import { banRouter } from './rules/banCalls.ts'
import { blockedImageRouter } from './rules/blockedImages.ts'
import { readPoster, removePoster } from './rules/removePoster.ts'
import { switchRouter } from './rules/switches.ts'

const NO_POST = { 404: 'The board or the post does not exist' }

export const moderationRouter = router({
  alerts: alertRouter,
  blockedImages: blockedImageRouter,
  filters: filterRouter,
  held: heldRouter,
  act: documented(
    memberProcedure()
      .input(actInput)
      .mutation(({ ctx, input }) => moderatePost(ctx, input, ctx.user)),
    {
      method: 'POST',
      path: '/api/moderation/act',
      summary: 'Acts on a post. Only threads can be locked, pinned and moved.',
      answer: actionResultSchema,
      access: 'moderator',
      statuses: { ...NO_POST, 409: 'The board has 10 pinned threads' },
    },
  ),
  poster: documented(
    memberProcedure()
      .input(posterInput)
      .query(({ ctx, input }) => readPoster(ctx, input, ctx.user)),
    {
      method: 'GET',
      path: '/api/moderation/poster',
      summary: "Counts the posts of a post's poster",
      answer: posterSchema,
      access: 'moderator',
      statuses: NO_POST,
    },
  ),
  removePoster: documented(
    memberProcedure()
      .input(removePosterInput)
      .mutation(({ ctx, input }) => removePoster(ctx, input, ctx.user)),
    {
      method: 'POST',
      path: '/api/moderation/poster/delete',
      summary: "Deletes the posts of a post's poster, bans the poster, or both. A ban needs a reason.",
      answer: removePosterResultSchema,
      access: 'moderator',
      statuses: { ...NO_POST, 409: 'The site no longer knows where the post came from' },
    },
  ),
  restore: documented(
    memberProcedure()
      .input(restoreInput)
      .mutation(({ ctx, input }) => restorePosts(ctx, input.logId, ctx.user)),
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
    },
  ),
  bans: banRouter,
  log: documented(
    guestProcedure.input(logInput).query(({ ctx, input }) => listLog(ctx, input)),
    {
      method: 'GET',
      path: '/api/moderation/log',
      summary: 'Lists 50 entries of the public log, newest first',
      answer: logPageSchema,
    },
  ),
  report: documented(
    guestProcedure
      .input(reportForm)
      .use(rateLimited('report'))
      .mutation(({ ctx, input }) => createReport(ctx, input)),
    {
      method: 'POST',
      path: REPORT_CALL,
      summary:
        'Reports a post, paste, shared image or program by its URL. `post` is the number of a post, if the URL names a thread.',
      answer: null,
      statuses: { 404: 'There is nothing at this URL', 410: 'The item was taken down' },
      formPage: { path: REPORT_PATH },
    },
  ),
  queue: documented(
    moderatorProcedure
      .input(queueInput)
      .query(({ ctx, input }) => ctx.readLarge(() => readQueue(ctx, input, ctx.boards))),
    {
      method: 'GET',
      path: '/api/moderation/queue',
      summary: 'Lists the first 10 reported items, held posts and appeals; with `after`, those after this cursor',
      answer: queueSchema,
    },
  ),
  waiting: memberProcedure().query(({ ctx }) => readWaiting(ctx, ctx.user)),
  resolve: documented(
    memberProcedure()
      .input(resolveForm)
      .mutation(({ ctx, input }) => resolveReport(ctx, input, ctx.user)),
    {
      method: 'POST',
      path: `${REPORT_CALL}/:reportId`,
      summary: 'Closes all reports of an item',
      answer: null,
      access: 'moderator',
      statuses: { 409: 'The reports are closed' },
    },
  ),
  takedown: documented(
    memberProcedure()
      .input(takedownForm)
      .mutation(({ ctx, input }) => takeDownUrl(ctx, input, ctx.user)),
    {
      method: 'POST',
      path: '/api/moderation/takedowns',
      summary: 'Takes down the item at a URL',
      answer: null,
      access: 'moderator',
      statuses: { 404: 'There is nothing at this URL', 410: 'The item was taken down' },
    },
  ),
  switches: switchRouter,
})
