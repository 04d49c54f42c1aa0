import { z } from 'zod'
import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  broadcastSchema,
  recordedBroadcastSchema,
  recordingParams,
  recordingUpdate,
  streamerSchema,
} from '#src/contract/archive.ts'
import { stationParams, streamerParams } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { deleteRecording, listOwnRecordings, readRecording, updateRecording } from './service.ts'

const PATH = '/api/radio/broadcasts/:id'

export const recordingRouter = router({
  read: documented(
    guestProcedure.input(recordingParams).query(({ ctx, input }) => readRecording(ctx, input.id)),
    {
      path: PATH,
      summary: 'Reads a recorded broadcast with its tracklist',
      answer: z.object({ broadcast: recordedBroadcastSchema }),
    },
  ),
  own: memberProcedure(refusal('archive.recordingEditLogin'))
    .input(streamerParams)
    .query(({ ctx, input }) => listOwnRecordings(ctx, input)),
  update: documented(
    memberProcedure(refusal('archive.recordingEditLogin'))
      .input(recordingUpdate)
      .mutation(({ ctx, input }) => updateRecording(ctx, input)),
    { method: 'PUT', path: PATH, summary: 'Renames or hides a recording, or replaces its tracklist' },
  ),
  delete: documented(
    memberProcedure(refusal('archive.recordingEditLogin'))
      .input(recordingParams)
      .mutation(({ ctx, input }) => deleteRecording(ctx, input.id)),
    { method: 'DELETE', path: PATH, summary: 'Deletes a recording' },
  ),
})

const STATION = '/api/radio/station/:stationId'

export const archiveRouter = router({
  lastEvent: guestProcedure.query(async ({ ctx }) => ({ lastEventId: await readLastEventId(ctx) })),
  streamers: documented(
    guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.streamers(input.stationId)),
    {
      path: `${STATION}/streamers`,
      summary: 'Lists the streamers of a station',
      answer: z.object({ streamers: z.array(streamerSchema), available: z.boolean() }),
    },
  ),
  summaries: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.summaries(input.stationId)),
  broadcasts: documented(
    guestProcedure
      .input(streamerParams)
      .query(({ ctx, input }) => ctx.radio.broadcasts(input.stationId, input.streamerId)),
    {
      path: `${STATION}/streamer/:streamerId/broadcasts`,
      summary: 'Lists the broadcasts of a streamer, newest first',
      answer: z.object({ broadcasts: z.array(broadcastSchema), available: z.boolean() }),
    },
  ),
})
