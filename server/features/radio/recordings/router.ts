import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { streamerParams } from '#src/contract/radioForms.ts'
import { recordingMessages } from '#src/contract/recording.ts'
import { recordingParams, recordingUpdate } from '#src/contract/recordingForms.ts'
import { deleteRecording, listOwnRecordings, readRecording, updateRecording } from './service.ts'

export const recordingRouter = router({
  read: guestProcedure.input(recordingParams).query(({ ctx, input }) => readRecording(ctx, input.id)),
  own: memberProcedure(recordingMessages.editLogin)
    .input(streamerParams)
    .query(({ ctx, input }) => listOwnRecordings(ctx, input)),
  update: memberProcedure(recordingMessages.editLogin)
    .input(recordingUpdate)
    .mutation(({ ctx, input }) => updateRecording(ctx, input)),
  delete: memberProcedure(recordingMessages.editLogin)
    .input(recordingParams)
    .mutation(({ ctx, input }) => deleteRecording(ctx, input.id)),
})
