import {
  notifyManager,
  QueryClient,
  QueryObserver,
  type UseQueryOptions,
  useMutation as useLibraryMutation,
  useQuery as useLibraryQuery,
} from '@tanstack/react-query'
import { useState } from 'react'

// Renders changes before the next frame, in which code may move the focus to new elements.
notifyManager.setScheduler(queueMicrotask)

const createClient = () =>
  new QueryClient({
    defaultOptions: {
      // Events decide when data is refetched. Calls fail at once while offline, because a paused call looks busy.
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
        networkMode: 'always',
        // React Query's deep comparison does not support dates.
        structuralSharing: false,
      },
      // Removes passwords and texts from memory when the component that sent them unmounts.
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
