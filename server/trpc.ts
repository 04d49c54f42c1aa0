import { initTRPC } from '@trpc/server'
import superjson from 'superjson'
import { authMessages } from '#src/contract/auth.ts'
import type { Context } from './core/context.ts'
import { errors, publicError } from './core/errors.ts'

const t = initTRPC.context<Context>().create({
  transformer: superjson,
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const { message, status } = publicError(error)
    return { ...shape, message, data: { code: shape.data.code, httpStatus: status, path: shape.data.path } }
  },
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
})

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Anybody. */
export const guestProcedure = t.procedure

/** Anybody logged in; `message` is what the others read. Asked before the form is looked at. */
export const memberProcedure = (message: string = authMessages.loginRequired) =>
  t.procedure.use(async ({ ctx, next }) => {
    const user = await ctx.currentUser()
    if (!user) throw errors.unauthorized(message)
    return next({ ctx: { ...ctx, user } })
  })
