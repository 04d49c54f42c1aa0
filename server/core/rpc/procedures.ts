import { initTRPC } from '@trpc/server'
import superjson from 'superjson'
import { isCaptchaError } from '#server/core/auth/captcha.ts'
import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { LimitKind } from '#server/core/config/config.ts'
import type { Context } from '#server/core/context.ts'
import { errors, publicError } from '#server/core/errors.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import { inputTransformer } from '#server/core/security/inputTransformer.ts'
import { type StorageUse, storageBuckets } from '#server/core/storage/storageQuota.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import type { Role } from './restRoute.ts'

const t = initTRPC
  .context<Context>()
  .meta<{ access?: Role }>()
  .create({
    transformer: { input: inputTransformer, output: superjson },
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const { message, status, ban, code: refusal, field } = publicError(error, ctx?.language)
      const { code, path } = shape.data
      return { ...shape, message, data: { code, httpStatus: status, path, refusal, field, ...(ban && { ban }) } }
    },
    // Disabled, because plugins/api/eventStream.ts sends the events.
    sse: { enabled: false },
  })

export const router = t.router
export const middleware = t.middleware
export const createCallerFactory = t.createCallerFactory

export const guestProcedure = t.procedure

/** The context of a call that requires a login. */
export type MemberContext = Context & { user: SessionUser }

/** Requires a login. Without a login, the call fails before the input is validated. */
export const memberProcedure = (message: Refusal = refusal('auth.loginRequired')) =>
  t.procedure.meta({ access: 'member' }).use(async ({ ctx, next }) => {
    const user = await ctx.currentUser()
    if (!user) throw errors.unauthorized(message)
    return next({ ctx: { ...ctx, user } })
  })

/** Requires an admin. */
export const adminProcedure = memberProcedure()
  .meta({ access: 'admin' })
  .use(({ ctx, next }) => {
    if (ctx.user.role !== 'admin') throw errors.forbidden(refusal('auth.forbidden'))
    return next({ ctx })
  })

/** Requires a login only: the call itself must check whether the user may moderate what it changes. */
export const uncheckedModeratorProcedure = memberProcedure().meta({ access: 'moderator' })

/** Requires an admin or a moderator. `boards` has the ids of the boards that a moderator moderates; null means all. */
export const moderatorProcedure = uncheckedModeratorProcedure.use(async ({ ctx, next }) => {
  const boards = await listModeratedBoards(ctx, ctx.user)
  if (boards?.length === 0) throw errors.forbidden(refusal('auth.forbidden'))
  return next({ ctx: { ...ctx, boards } })
})

/**
 * Returns middleware that consumes the rate limit and storage quota. Place it after `.input()`, so that invalid forms
 * cost nothing, and before the service spends the captcha.
 */
export const rateLimited = (kind: LimitKind, getStorageUse: (input: never) => StorageUse | null = () => null) =>
  t.middleware(async ({ ctx, input, next }) => {
    const returnTokens = await consumeRateLimit(ctx, kind, await storageBuckets(ctx, getStorageUse(input as never)))
    const result = await next()
    // A wrong captcha answer counts towards the captcha limit. When that limit is reached, it counts towards `kind`.
    if (!result.ok && isCaptchaError(result.error)) await consumeRateLimit(ctx, 'captcha').then(returnTokens, () => {})
    // A raid's posts that are not stored must not use up the limit of the site or of a shared network.
    if (!result.ok && result.error.code === 'TOO_MANY_REQUESTS') await returnTokens()
    return result
  })
