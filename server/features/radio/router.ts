import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { stationParams } from '#src/contract/radioForms.ts'

export const radioRouter = router({
  stations: guestProcedure.query(({ ctx }) => ctx.radio.stations()),
  nowPlaying: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.nowPlaying(input.stationId)),
})
