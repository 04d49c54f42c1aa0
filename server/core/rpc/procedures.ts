import { initTRPC } from '@trpc/server'
import superjson from 'superjson'
import { isCaptchaError } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { errors, publicError } from '#server/core/errors.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import { inputTransformer } from '#server/core/security/inputTransformer.ts'
import { type StorageUse, storageBuckets } from '#server/core/storage/storageQuota.ts'
import { authMessages } from '#src/contract/auth.ts'
import type { LimitKind } from '#src/contract/limits.ts'

const t = initTRPC.context<Context>().create({
  transformer: { input: inputTransformer, output: superjson },
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const { message, status } = publicError(error)
    return { ...shape, message, data: { code: shape.data.code, httpStatus: status, path: shape.data.path } }
  },
  // Events are sent by a plugin of their own.
  sse: { enabled: false },
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

/**
 * Counts a call against what the visitor's network may do. It stands behind the input, for a mistake in a form is to
 * cost nothing, and before the service, whose work it guards; a captcha is not spent yet and can be sent again.
 * @param storedBy what the call would store, which is counted as well
 */
export const limited = (kind: LimitKind, storedBy: (input: never) => StorageUse | null = () => null) =>
  t.middleware(async ({ ctx, input, next }) => {
    const giveBack = await consumeRateLimit(ctx, kind, await storageBuckets(ctx, storedBy(input as never)))
    const result = await next()
    // Who gets the sum wrong has not posted, but guessed: that costs another captcha instead, as long as there are any.
    if (!result.ok && isCaptchaError(result.error)) await consumeRateLimit(ctx, 'captcha').then(giveBack, () => {})
    return result
  })
