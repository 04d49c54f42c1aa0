import { errors } from '#server/core/errors.ts'
import { memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { authMessages } from '#src/contract/auth.ts'
import { switchInput } from '#src/contract/switchForms.ts'
import { listSwitches, setSwitch } from './switches.ts'

const adminProcedure = memberProcedure().use(({ ctx, next }) => {
  if (ctx.user.role !== 'admin') throw errors.forbidden(authMessages.forbidden)
  return next({ ctx })
})

export const switchRouter = router({
  list: adminProcedure.query(({ ctx }) => listSwitches(ctx)),
  set: adminProcedure.input(switchInput).mutation(({ ctx, input }) => setSwitch(ctx, input, ctx.user)),
})
