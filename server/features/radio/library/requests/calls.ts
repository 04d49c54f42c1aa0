import { z } from 'zod'
import { readLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { rejectBanned } from '#server/features/moderation/admission/liveBans.ts'
import { SONG_REQUESTS_PATH } from '#src/contract/radio.ts'
import {
  finishInput,
  foundTrackSchema,
  SONG_REQUESTS_CALL,
  songRequestForm,
  songRequestLimits,
  songRequestSchema,
  songRequestsPath,
  TRACKS_CALL,
  tracksInput,
} from '#src/contract/songRequest.ts'
import { finishRequest } from './planning.ts'
import { listRequests, requireTracks } from './queue.ts'
import { findTracks, requestSong } from './service.ts'

const OFF = 'The station takes no song requests'

export const songRequestRouter = router({
  tracks: documented(
    guestProcedure.input(tracksInput).query(({ ctx, input }) => findTracks(ctx, input.q, songRequestLimits.results)),
    {
      path: TRACKS_CALL,
      summary: 'Finds tracks by words of artist and title, 20 at most. Without `q`, it lists the first tracks by name.',
      answer: z.object({ tracks: z.array(foundTrackSchema) }),
      statuses: { 404: OFF },
    },
  ),
  list: documented(
    guestProcedure.query(async ({ ctx }) => {
      requireTracks(ctx)
      // Read the event id first: a change during the query is then replayed, not missed.
      const lastEventId = await readLastEventId(ctx)
      return { ...(await listRequests(ctx)), lastEventId }
    }),
    {
      path: SONG_REQUESTS_CALL,
      summary: 'Lists the waiting song requests in the order of play',
      answer: z.object({
        requests: z.array(songRequestSchema),
        streamerName: z.string().nullable().describe('the streamer on air, who decides what is played'),
      }),
      statuses: { 404: OFF },
    },
  ),
  create: documented(
    guestProcedure.input(songRequestForm).mutation(async ({ ctx, input }) => {
      requireTracks(ctx)
      await rejectBanned(ctx, null)
      return requestSong(ctx, {
        ...{ trackId: input.trackId, source: 'web', requester: ctx.address },
        isMember: (await ctx.currentUser()) !== null,
      })
    }),
    {
      path: SONG_REQUESTS_CALL,
      summary: 'Requests a track of the station',
      answer: z.object({ request: songRequestSchema }),
      statuses: {
        403: 'The visitor is banned, or the site is read-only',
        404: 'The station takes no song requests, or has no such track',
        409: 'The track is waiting already or was requested a short while ago, or too many requests are waiting',
      },
      formPage: {
        path: ({ q }: { q?: unknown }) => songRequestsPath(typeof q === 'string' ? q : ''),
        next: ({ request }: { request: { id: number } }) => `${SONG_REQUESTS_PATH}#request-${request.id}`,
      },
    },
  ),
  finish: documented(
    memberProcedure()
      .input(finishInput)
      .mutation(({ ctx, input }) => finishRequest(ctx, input)),
    {
      method: 'DELETE',
      path: `${SONG_REQUESTS_CALL}/:id`,
      summary:
        'Takes a request from the queue: for admins, and for the streamer on air. `outcome` is skipped or played.',
      statuses: { 404: 'The request is not waiting', 409: 'The request is about to be played' },
    },
  ),
})
