import { adminProcedure, guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { newStreamer, streamerChange, streamerRef } from '#src/contract/streamerForms.ts'
import { sourceConnection } from './connection.ts'
import {
  allowStreamer,
  changeStreamer,
  findOwnStreamer,
  listStreamers,
  removeStreamer,
  renewOwnStreamPassword,
  renewStreamPassword,
} from './service.ts'

export const streamerRouter = router({
  connection: guestProcedure.query(({ ctx }) => sourceConnection(ctx.config)),
  /** the account of the logged-in user; null if the user may not stream */
  own: memberProcedure().query(({ ctx }) => findOwnStreamer(ctx.db, ctx.user.id)),
  renewOwnPassword: memberProcedure().mutation(({ ctx }) => renewOwnStreamPassword(ctx, ctx.user)),
  list: adminProcedure.query(({ ctx }) => listStreamers(ctx)),
  allow: adminProcedure.input(newStreamer).mutation(({ ctx, input }) => allowStreamer(ctx, input)),
  change: adminProcedure.input(streamerChange).mutation(({ ctx, input }) => changeStreamer(ctx, input)),
  renewPassword: adminProcedure.input(streamerRef).mutation(({ ctx, input }) => renewStreamPassword(ctx, input.email)),
  remove: adminProcedure.input(streamerRef).mutation(({ ctx, input }) => removeStreamer(ctx, input.email)),
})
