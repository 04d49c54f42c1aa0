import {
  notifyManager,
  QueryClient,
  QueryObserver,
  type UseQueryOptions,
  useMutation as useLibraryMutation,
  useQuery as useLibraryQuery,
} from '@tanstack/react-query'
import { useState } from 'react'

// Changes are rendered before the next frame, so that code may move the focus to new elements there.
notifyManager.setScheduler(queueMicrotask)

const createClient = () =>
  new QueryClient({
    defaultOptions: {
      // Data is fetched again only after events. Calls fail at once while offline: a paused one would look busy.
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
        networkMode: 'always',
        // its deep comparison cannot match dates
        structuralSharing: false,
      },
      // Passwords and texts are dropped with the component that sent them.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  })

/** The cache of this visit. */
export const queryClient = createClient()

/**
 * Returns the cache of this visit. On the server each component gets its own, because requests must not share data. A
 * provider in the layout would load the library on every page.
 */
const useClient = () => useState(() => (import.meta.env.SSR ? createClient() : queryClient))[0]

export const useQuery = <Data>(options: UseQueryOptions<Data>) => useLibraryQuery(options, useClient())
export const useMutation: typeof useLibraryMutation = (options) => useLibraryMutation(options, useClient())
export { QueryObserver }
