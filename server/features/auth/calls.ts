import {
  adminProcedure,
  guestProcedure,
  memberProcedure,
  moderatorProcedure,
  rateLimited,
  router,
} from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  loginInput,
  loginSchema,
  newUser,
  passkeyConfirmation,
  passkeyLogin,
  passkeyRemoval,
  passwordChange,
  passwordCheck,
  roleChange,
  sessionEnd,
  totpConfirmation,
  userRef,
} from '#src/contract/auth.ts'
import { confirmPasskey, removePasskey, startPasskey, startPasskeyLogin } from './passkeys.ts'
import { confirmTotp, readSecondFactor, removeTotp, replaceRecoveryCodes, startTotp } from './secondFactor.ts'
import { changeOwnPassword, login, loginWithPasskey, requirePassword, userView } from './service.ts'
import { addUser, changeRole, endSessions, listUsers, removeUser, renewPassword, resetSecondFactor } from './users.ts'

const usersRouter = router({
  list: adminProcedure.query(({ ctx }) => listUsers(ctx)),
  add: adminProcedure.input(newUser).mutation(({ ctx, input }) => addUser(ctx.db, input)),
  changeRole: adminProcedure.input(roleChange).mutation(({ ctx, input }) => changeRole(ctx.db, input, ctx.user)),
  renewPassword: adminProcedure.input(userRef).mutation(({ ctx, input }) => renewPassword(ctx, input.email)),
  endSessions: adminProcedure.input(userRef).mutation(({ ctx, input }) => endSessions(ctx, input.email)),
  resetSecondFactor: adminProcedure.input(userRef).mutation(({ ctx, input }) => resetSecondFactor(ctx, input.email)),
  delete: adminProcedure.input(userRef).mutation(({ ctx, input }) => removeUser(ctx, input.email, ctx.user)),
})

/** A change of the second factor: it needs the current password. */
const factorProcedure = memberProcedure()
  .input(passwordCheck)
  .use(async ({ ctx, input, next }) => {
    await requirePassword(ctx, ctx.user, input.currentPassword)
    return next()
  })

export const authRouter = router({
  login: documented(
    guestProcedure.input(loginInput).mutation(({ ctx, input }) => login(ctx, input)),
    {
      path: '/api/dtpchan/admin/login',
      summary: 'Logs in. `code` is of the authenticator app, or a recovery code; only for users with a second factor.',
      answer: loginSchema,
      statuses: { 401: 'The email, password or code is wrong, or the code is missing' },
    },
  ),
  logout: documented(
    memberProcedure().mutation(({ ctx }) => ctx.sessions.end(ctx.user.sessionId)),
    { path: '/api/dtpchan/admin/logout', summary: 'Ends the session of the token' },
  ),
  changePassword: documented(
    memberProcedure()
      .input(passwordChange)
      .mutation(({ ctx, input }) => changeOwnPassword(ctx, ctx.user, input)),
    { path: '/api/dtpchan/admin/password', summary: "Changes the password, and ends the user's other sessions" },
  ),
  /** ids of the boards that the user moderates; null means all boards */
  moderation: moderatorProcedure.query(({ ctx }) => ({ boards: ctx.boards })),
  users: usersRouter,
  me: guestProcedure.query(async ({ ctx }) => {
    const user = await ctx.currentUser()
    return user && userView(user)
  }),

  startPasskeyLogin: guestProcedure.use(rateLimited('captcha')).mutation(({ ctx }) => startPasskeyLogin(ctx)),
  loginWithPasskey: guestProcedure.input(passkeyLogin).mutation(({ ctx, input }) => loginWithPasskey(ctx, input)),

  secondFactor: memberProcedure().query(({ ctx }) => readSecondFactor(ctx, ctx.user)),
  startTotp: factorProcedure.mutation(({ ctx }) => startTotp(ctx, ctx.user)),
  confirmTotp: memberProcedure()
    .input(totpConfirmation)
    .mutation(({ ctx, input }) => confirmTotp(ctx, ctx.user, input)),
  removeTotp: factorProcedure.mutation(({ ctx }) => removeTotp(ctx, ctx.user)),
  startPasskey: factorProcedure.mutation(({ ctx }) => startPasskey(ctx, ctx.user)),
  confirmPasskey: memberProcedure()
    .input(passkeyConfirmation)
    .mutation(({ ctx, input }) => confirmPasskey(ctx, ctx.user, input)),
  removePasskey: factorProcedure
    .input(passkeyRemoval)
    .mutation(({ ctx, input }) => removePasskey(ctx, ctx.user, input.id)),
  replaceRecoveryCodes: factorProcedure.mutation(({ ctx }) => replaceRecoveryCodes(ctx, ctx.user)),

  sessions: memberProcedure().query(async ({ ctx }) => {
    const sessions = await ctx.sessions.list(ctx.user.id)
    return sessions.map((session) => ({ ...session, current: session.id === ctx.user.sessionId }))
  }),
  endSession: memberProcedure()
    .input(sessionEnd)
    .mutation(({ ctx, input }) => ctx.sessions.endOne(ctx.user.id, input.id)),
})
