import type { LogPage } from '#src/contract/log.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { useEvents } from '#src/lib/useEvents.ts'

export function useLog(initialData: LogPage, before: number | undefined) {
  const { lastEventId } = initialData
  const { data, refetch } = usePageQuery({
    queryKey: ['log', before ?? 'newest', lastEventId],
    queryFn: async () => (await trpc()).moderation.log.query({ before }),
    initialData,
  })
  useEvents({ topics: ['log'], lastEventId, onEvent: (_event, refetchSoon) => refetchSoon(), refetch })
  return { ...data, reload: refetch }
}
