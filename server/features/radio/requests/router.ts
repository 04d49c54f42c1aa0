import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { rejectBanned } from '#server/features/moderation/admission/rejectBanned.ts'
import { songRequestLimits } from '#src/contract/songRequest.ts'
import { finishInput, songRequestForm, tracksInput } from '#src/contract/songRequestForms.ts'
import { finishRequest } from './finish.ts'
import { findTracks, listRequests, requestSong, requireTracks } from './service.ts'

export const songRequestRouter = router({
  tracks: guestProcedure
    .input(tracksInput)
    .query(({ ctx, input }) => findTracks(ctx, input.q, songRequestLimits.results)),
  list: guestProcedure.query(async ({ ctx }) => {
    requireTracks(ctx)
    // Read the event id first: a change during the query is then replayed, not missed.
    const lastEventId = await readLastEventId(ctx)
    return { ...(await listRequests(ctx)), lastEventId }
  }),
  create: guestProcedure.input(songRequestForm).mutation(async ({ ctx, input }) => {
    requireTracks(ctx)
    await rejectBanned(ctx, null)
    return requestSong(ctx, {
      ...{ trackId: input.trackId, source: 'web', requester: ctx.address },
      isMember: (await ctx.currentUser()) !== null,
    })
  }),
  finish: memberProcedure()
    .input(finishInput)
    .mutation(({ ctx, input }) => finishRequest(ctx, input)),
})
