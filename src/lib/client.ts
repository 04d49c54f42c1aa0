import { createTRPCClient, httpLink, type TRPCLink } from '@trpc/client'
import { tap } from '@trpc/server/observable'
import superjson from 'superjson'
import type { AppRouter } from '#server/router.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { readToken, UNAUTHORIZED } from './token.ts'

/** In a login, this error means a wrong password, code or passkey. */
const LOGINS = ['auth.login', 'auth.loginWithPasskey']

/** Fires UNAUTHORIZED if the server rejects the session in a call that a visitor waits for. */
const reportUnauthorized: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op).pipe(
      tap({
        error: (error) => {
          const isAwaited = !LOGINS.includes(op.path) && !op.context.background
          if (isAwaited && error.data?.code === 'UNAUTHORIZED') window.dispatchEvent(new Event(UNAUTHORIZED))
        },
      }),
    )

/**
 * The tRPC client. Each call is a request of its own, because the server refuses several threads or lists in one. Events
 * have a connection of their own (`events.ts`).
 */
export const client = createTRPCClient<AppRouter>({
  links: [
    reportUnauthorized,
    httpLink({
      url: '/trpc',
      transformer: superjson,
      headers: () => {
        const token = readToken()
        return { 'x-language': currentLanguage(), ...(token && { authorization: `Bearer ${token}` }) }
      },
    }),
  ],
})
