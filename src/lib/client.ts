import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from '#server/router.ts'
import { readToken } from './token.ts'

/** The typed client of this site's own calls; subscriptions are public and carry no token. */
export const client = createTRPCClient<AppRouter>({
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
