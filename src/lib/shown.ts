import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useQueries } from './queries.ts'

type Options<Shown, Read> = {
  /** names it among all that pages show; `version` tells what pages were made with apart */
  key: readonly [what: string, version: string]
  /** what the page was made with */
  initial: Shown
  /** reads it anew */
  read: () => Promise<Read>
  /** puts what was read into what is shown */
  merge: (shown: Shown, read: Read) => Shown
}

/**
 * What a page shows: made with it, changed in its place by what happens, read anew when that is not enough.
 * @returns `reread` gives what was read, or undefined where that failed and all stays as it was
 */
export function useShown<Shown, Read>({ key: [what, version], initial, read, merge }: Options<Shown, Read>) {
  const client = useQueries()
  const answer = useRef<Read>(undefined)
  const { data, refetch } = useQuery(
    {
      queryKey: [what, version],
      initialData: initial,
      // what a page was made with is new, and changes are told
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      networkMode: 'always',
      queryFn: async () => {
        answer.current = await read()
        return merge(client.getQueryData<Shown>([what, version]) ?? initial, answer.current)
      },
    },
    client,
  )

  const change = useCallback(
    (update: (shown: Shown) => Shown) =>
      void client.setQueryData<Shown>([what, version], (shown) => shown && update(shown)),
    [client, what, version],
  )

  async function reread(): Promise<Read | undefined> {
    const { isError } = await refetch()
    return isError ? undefined : answer.current
  }

  return { data: data ?? initial, change, reread }
}
