import {
  notifyManager,
  QueryClient,
  type UseQueryOptions,
  useMutation as useLibraryMutation,
  useQuery as useLibraryQuery,
} from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

// Renders changes before the next frame. Code that waits for that frame can then focus new elements.
notifyManager.setScheduler(queueMicrotask)

const createClient = () =>
  new QueryClient({
    defaultOptions: {
      // Only events trigger refetches. 'always' lets calls fail at once while offline. By default, they would wait.
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        retry: false,
        networkMode: 'always',
        // React Query's deep comparison does not support dates.
        structuralSharing: false,
      },
      // gcTime 0 removes sent passwords and texts from memory when the component unmounts.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  })

/** The cache of all components in the browser. */
export const queryClient = createClient()

/**
 * Returns `queryClient`. On the server, each component gets a new cache, because requests must not share
 * data. A provider in the layout would load the library on every page, so components call this instead.
 */
const useClient = () => useState(() => (import.meta.env.SSR ? createClient() : queryClient))[0]

export const useQuery = <Data>(options: UseQueryOptions<Data>) => useLibraryQuery(options, useClient())
export const useMutation: typeof useLibraryMutation = (options) => useLibraryMutation(options, useClient())

/** Returns a getter of a signal that aborts when the component unmounts. */
export function useUnmountSignal() {
  const controller = useRef<AbortController>(null)
  useEffect(() => {
    const mounted = new AbortController()
    controller.current = mounted
    return () => mounted.abort()
  }, [])
  return () => controller.current?.signal
}
