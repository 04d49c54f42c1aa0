import { z } from 'zod'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { recordedBroadcastSchema, recordingParams, recordingUpdate } from '#src/contract/archive.ts'
import { streamerParams } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { deleteRecording, listOwnRecordings, readRecording, updateRecording } from './service.ts'

const PATH = '/api/radio/broadcasts/:id'

export const recordingRouter = router({
  read: documented(
    guestProcedure.input(recordingParams).query(({ ctx, input }) => readRecording(ctx, input.id)),
    {
      method: 'GET',
      path: PATH,
      summary: 'Reads a recorded broadcast with its tracklist',
      answer: z.object({ broadcast: recordedBroadcastSchema }),
      respond: (broadcast) => ({ broadcast }),
    },
  ),
  own: memberProcedure(refusal('archive.recordingEditLogin'))
    .input(streamerParams)
    .query(({ ctx, input }) => listOwnRecordings(ctx, input)),
  update: documented(
    memberProcedure(refusal('archive.recordingEditLogin'))
      .input(recordingUpdate)
      .mutation(({ ctx, input }) => updateRecording(ctx, input)),
    {
      method: 'PUT',
      path: PATH,
      summary: 'Renames or hides a recording, or replaces its tracklist',
      answer: null,
    },
  ),
  delete: documented(
    memberProcedure(refusal('archive.recordingEditLogin'))
      .input(recordingParams)
      .mutation(({ ctx, input }) => deleteRecording(ctx, input.id)),
    {
      method: 'DELETE',
      path: PATH,
      summary: 'Deletes a recording',
      answer: null,
    },
  ),
})
