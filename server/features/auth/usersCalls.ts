import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { newUser, roleChange, userRef } from '#src/contract/auth.ts'
import { addUser, changeRole, endSessions, listUsers, removeUser, renewPassword, resetSecondFactor } from './users.ts'

export const usersRouter = router({
  list: adminProcedure.query(({ ctx }) => listUsers(ctx)),
  add: adminProcedure.input(newUser).mutation(({ ctx, input }) => addUser(ctx.db, input)),
  changeRole: adminProcedure.input(roleChange).mutation(({ ctx, input }) => changeRole(ctx.db, input, ctx.user)),
  renewPassword: adminProcedure.input(userRef).mutation(({ ctx, input }) => renewPassword(ctx, input.email)),
  endSessions: adminProcedure.input(userRef).mutation(({ ctx, input }) => endSessions(ctx, input.email)),
  resetSecondFactor: adminProcedure.input(userRef).mutation(({ ctx, input }) => resetSecondFactor(ctx, input.email)),
  delete: adminProcedure.input(userRef).mutation(({ ctx, input }) => removeUser(ctx, input.email, ctx.user)),
})
