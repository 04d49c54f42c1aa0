import { stationParams } from '#src/contract/radioForms.ts'
import { guestProcedure, router } from '../../trpc.ts'

export const radioRouter = router({
  stations: guestProcedure.query(({ ctx }) => ctx.radio.stations()),
  nowPlaying: guestProcedure.input(stationParams).query(({ ctx, input }) => ctx.radio.nowPlaying(input.stationId)),
})
