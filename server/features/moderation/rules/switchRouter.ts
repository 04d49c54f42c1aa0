import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { switchInput } from '#src/contract/switchForms.ts'
import { listSwitches, setSwitch } from './switches.ts'

export const switchRouter = router({
  list: adminProcedure.query(({ ctx }) => listSwitches(ctx)),
  set: adminProcedure.input(switchInput).mutation(({ ctx, input }) => setSwitch(ctx, input, ctx.user)),
})
