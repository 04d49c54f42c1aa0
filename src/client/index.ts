import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink, type TRPCClient } from '@trpc/client'
import superjson from 'superjson'
import * as packedThread from '../lib/packedThread.ts'
import { FetchEventSource } from './fetchEventSource.ts'
import type { PackedThread, SiteRouter, ThreadPage } from './router.ts'

export { isTRPCClientError as isSiteError } from '@trpc/client'
export type * from './router.ts'

export type SiteClient = TRPCClient<SiteRouter>
export type SiteClientOptions = {
  /** the token of a login; a function can return the token of a later login */
  token?: string | (() => string | undefined)
}

/**
 * Creates a client of a site. Each call is a request of its own, because the server refuses several threads, lists or
 * pastes in one. Subscriptions are public and send no token; they reconnect by themselves, and continue after the last
 * event.
 * @param siteUrl such as `https://example.org`
 */
export function createSiteClient(siteUrl: string, { token }: SiteClientOptions = {}): SiteClient {
  const url = new URL('/trpc', siteUrl).href
  return createTRPCClient<SiteRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url, transformer: superjson, EventSource: FetchEventSource }),
        false: httpLink({
          url,
          transformer: superjson,
          headers: () => {
            const bearer = typeof token === 'function' ? token() : token
            return bearer ? { authorization: `Bearer ${bearer}` } : {}
          },
        }),
      }),
    ],
  })
}

/** Unpacks the answer of `board.thread`, whose comments are sent as one text. */
export const unpackThread: (packed: PackedThread) => ThreadPage = packedThread.unpackThread
