import { z } from 'zod'
import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  occurrenceSchema,
  SHOWS_CALL,
  scheduleInput,
  showForm,
  showParams,
  showSchema,
  showUpdate,
} from '#src/contract/show.ts'
import { createShow, deleteShow, updateShow } from './editShows.ts'
import { readEditableShows, readSchedule } from './service.ts'

const editorProcedure = memberProcedure(refusal('show.login'))

const answer = z.object({ show: showSchema })

const ONLY_OWN = 'Only streamers may plan shows, each streamer their own, and admins all'

export const showRouter = router({
  /** `now`: server time, used to find the current show in the first render. */
  schedule: documented(
    guestProcedure.input(scheduleInput).query(async ({ ctx, input }) => {
      // Computing the times of many shows takes some milliseconds.
      ctx.charge(COST.largeAnswer)
      // Read the event id first: a change during the query is then replayed, not missed.
      const lastEventId = await readLastEventId(ctx)
      return { occurrences: await readSchedule(ctx, input), now: ctx.now(), lastEventId }
    }),
    {
      path: '/api/radio/schedule',
      summary: 'Lists when shows take place, earliest first, at most 500 times',
      answer: z.object({ occurrences: z.array(occurrenceSchema) }),
    },
  ),
  upcoming: guestProcedure.query(({ ctx }) => ctx.upcomingShows()),
  editable: editorProcedure.query(({ ctx }) => readEditableShows(ctx, ctx.user)),
  create: documented(
    editorProcedure.input(showForm).mutation(({ ctx, input }) => createShow(ctx, input)),
    {
      path: SHOWS_CALL,
      summary: 'Adds a show to the schedule',
      answer,
      statuses: {
        403: ONLY_OWN,
        404: 'There is no streamer with this name',
        409: 'The show overlaps with another one within the next year, or the streamer has too many shows',
      },
      keepsOtherFiles: true,
      limits: { rate: 'upload', storage: 'image' },
    },
  ),
  update: documented(
    editorProcedure.input(showUpdate).mutation(({ ctx, input }) => updateShow(ctx, input)),
    {
      method: 'PUT',
      path: `${SHOWS_CALL}/:id`,
      summary: 'Changes a show. Its image stays unless there is another one, or `removeImage` is true.',
      answer,
      statuses: {
        403: ONLY_OWN,
        409: 'The show overlaps with another one within the next year, or has changed since `updatedAt`',
      },
      keepsOtherFiles: true,
      limits: { rate: 'upload', storage: 'image' },
    },
  ),
  delete: documented(
    editorProcedure.input(showParams).mutation(({ ctx, input }) => deleteShow(ctx, input.id)),
    {
      method: 'DELETE',
      path: `${SHOWS_CALL}/:id`,
      summary: 'Deletes a show. Recordings of it stay.',
      statuses: { 403: ONLY_OWN },
    },
  ),
})
