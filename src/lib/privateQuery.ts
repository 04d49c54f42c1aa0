import type { QueryKey } from '@tanstack/react-query'
import { queryClient, useQuery } from './reactQuery.ts'
import { trpc } from './trpc.ts'

type Client = Awaited<ReturnType<typeof trpc>>

/**
 * Loads data that only the logged-in user may see. The data leaves memory when the component unmounts.
 * @param options `pollMs` returns the time until the next load, or null to wait for `refetch`
 */
export function usePrivateQuery<Data>(
  queryKey: QueryKey,
  read: (client: Client) => Promise<Data>,
  { pollMs = () => null }: { pollMs?: (data: Data | undefined) => number | null } = {},
) {
  const key = ['private', ...queryKey]
  const query = useQuery<Data>({
    queryKey: key,
    queryFn: async () => read(await trpc()),
    gcTime: 0,
    refetchInterval: ({ state }) => pollMs(state.data) ?? false,
  })
  /** Loads the data again, after a load that has begun: its answer may be older. */
  async function refetch() {
    const join = () => query.refetch({ cancelRefetch: false })
    if (queryClient.isFetching({ queryKey: key, exact: true }) > 0) await join()
    return join()
  }
  return { ...query, refetch } as typeof query
}

export type PrivateQuery<Data> = ReturnType<typeof usePrivateQuery<Data>>
