import { guestProcedure, memberProcedure, router } from '#server/core/rpc/procedures.ts'
import { loginInput, passwordChange } from '#src/contract/auth.ts'
import { changeOwnPassword, login } from './service.ts'

export const authRouter = router({
  login: guestProcedure.input(loginInput).mutation(({ ctx, input }) => login(ctx, input)),
  logout: memberProcedure().mutation(({ ctx }) => ctx.sessions.end(ctx.user.sessionId)),
  changePassword: memberProcedure()
    .input(passwordChange)
    .mutation(({ ctx, input }) => changeOwnPassword(ctx, ctx.user, input)),
  me: guestProcedure.query(async ({ ctx }) => {
    const user = await ctx.currentUser()
    return user && { email: user.email, role: user.role, generatedPassword: user.generatedPassword }
  }),
})
