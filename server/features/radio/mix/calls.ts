import { z } from 'zod'
import { adminProcedure, guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { connectedSourceSchema, liveSchema, refusedSourceSchema, sourceParams } from '#src/contract/liveSources.ts'
import { stationParams } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { disconnectSource, listRefusedSources, listSources, readLive } from './service.ts'

const SOURCES = '/api/radio/sources'

export const liveRouter = router({
  onAir: documented(
    guestProcedure.input(stationParams).query(({ ctx, input }) => readLive(ctx, input.stationId)),
    {
      method: 'GET',
      path: '/api/radio/live/:stationId',
      summary: 'Reads who is on air',
      answer: z.object({ live: liveSchema.nullable() }),
      respond: (live) => ({ live }),
    },
  ),
  sources: documented(
    memberProcedure(refusal('streamer.sourceLoginRequired')).query(({ ctx }) => listSources(ctx, ctx.user)),
    {
      method: 'GET',
      path: SOURCES,
      summary: 'Lists the connected live sources: all for admins, their own for streamers',
      answer: z.object({ sources: z.array(connectedSourceSchema) }),
      respond: (sources) => ({ sources }),
    },
  ),
  refused: documented(
    memberProcedure(refusal('streamer.sourceLoginRequired')).query(({ ctx }) => listRefusedSources(ctx, ctx.user)),
    {
      method: 'GET',
      path: `${SOURCES}/refused`,
      summary:
        'Lists programs that sent a wrong streaming password: of all networks for admins, of their own for others',
      answer: z.object({ refused: z.array(refusedSourceSchema) }),
      respond: (refused) => ({ refused }),
    },
  ),
  takeOver: documented(
    adminProcedure.input(sourceParams).mutation(({ ctx, input }) => ctx.liveHost.call('takeOver', input.id)),
    {
      method: 'POST',
      path: `${SOURCES}/:id/takeover`,
      summary: 'Puts a live source on air at once',
      answer: null,
      statuses: { 409: 'The source uses the mount of the level test' },
    },
  ),
  disconnect: documented(
    memberProcedure(refusal('streamer.sourceLoginRequired'))
      .input(sourceParams)
      .mutation(({ ctx, input }) => disconnectSource(ctx, ctx.user, input.id)),
    {
      method: 'DELETE',
      path: `${SOURCES}/:id`,
      summary: 'Disconnects a live source: any for admins, their own for streamers',
      answer: null,
    },
  ),
})
