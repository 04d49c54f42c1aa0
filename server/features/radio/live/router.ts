import { adminProcedure, guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { sourceParams } from '#src/contract/liveSourceForms.ts'
import { liveSourceMessages } from '#src/contract/liveSources.ts'
import { stationParams } from '#src/contract/radioForms.ts'
import { disconnectSource, listSources, readLive } from './service.ts'

export const liveRouter = router({
  onAir: guestProcedure.input(stationParams).query(({ ctx, input }) => readLive(ctx, input.stationId)),
  sources: memberProcedure(liveSourceMessages.loginRequired).query(({ ctx }) => listSources(ctx, ctx.user)),
  takeOver: adminProcedure.input(sourceParams).mutation(({ ctx, input }) => ctx.liveHost.call('takeOver', input.id)),
  disconnect: memberProcedure(liveSourceMessages.loginRequired)
    .input(sourceParams)
    .mutation(({ ctx, input }) => disconnectSource(ctx, ctx.user, input.id)),
})
