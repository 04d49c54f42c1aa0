import type { QueryKey } from '@tanstack/react-query'
import { useQuery } from './reactQuery.ts'
import { trpc } from './trpc.ts'

type Client = Awaited<ReturnType<typeof trpc>>

/**
 * Loads data that only the logged-in user may see. The data leaves memory when the component unmounts.
 * @param options `pollMs` returns the time until the next load, or null to wait for `refetch`
 */
export const usePrivateQuery = <Data>(
  queryKey: QueryKey,
  read: (client: Client) => Promise<Data>,
  { pollMs = () => null }: { pollMs?: (data: Data | undefined) => number | null } = {},
) =>
  useQuery<Data>({
    queryKey: ['private', ...queryKey],
    queryFn: async () => read(await trpc()),
    gcTime: 0,
    refetchInterval: ({ state }) => pollMs(state.data) ?? false,
  })

export type PrivateQuery<Data> = ReturnType<typeof usePrivateQuery<Data>>
