import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, TRPCClientError } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from '#server/router.ts'
import { readToken } from './token.ts'

/** The typed client of this site's own calls; subscriptions are public and carry no token. */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: (operation) => operation.type === 'subscription',
      true: httpSubscriptionLink({ url: '/trpc', transformer: superjson }),
      false: httpBatchLink({
        // as many as the server takes at once
        maxItems: 20,
        url: '/trpc',
        transformer: superjson,
        headers: () => {
          const token = readToken()
          return token ? { authorization: `Bearer ${token}` } : {}
        },
      }),
    }),
  ],
})

/** The server's own text of a failed call, or the fallback when it said nothing. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof TRPCClientError && error.data ? error.message : fallback
}

/** Whether the call was refused because the token is missing or worth nothing. */
export const isUnauthorized = (error: unknown) =>
  error instanceof TRPCClientError && error.data?.code === 'UNAUTHORIZED'
