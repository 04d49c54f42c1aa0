import { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'

/** One for the browser, given to each hook by hand: a provider around all pages would bring the library to each of them. */
const ofBrowser = import.meta.env.SSR ? null : new QueryClient()

/** The memory of queries; while HTML is made each page has one of its own, for others must not be shown what is in it. */
export function useQueries(): QueryClient {
  const [client] = useState(() => ofBrowser ?? new QueryClient())
  return client
}
