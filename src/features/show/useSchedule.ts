import { useEffect } from 'react'
import type { OccurrenceView } from '#src/contract/show.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { useNow } from '#src/ui/useNow.ts'

/** An open page would otherwise list fewer and fewer days. */
const REFETCH_MS = 60 * 60 * 1000

export type ScheduleData = { occurrences: OccurrenceView[]; now: Date; lastEventId: string }

/** Returns the occurrences that have not ended, and keeps them current. */
export function useSchedule(initialData: ScheduleData) {
  const { lastEventId } = initialData
  const { data, refetch } = usePageQuery({
    queryKey: ['schedule', lastEventId, initialData.now.getTime()],
    queryFn: async (): Promise<ScheduleData> => (await trpc()).show.schedule.query({}),
    initialData,
  })
  useEvents({
    topics: ['shows'],
    lastEventId,
    onEvent: ({ change }, refetchSoon) => change.kind === 'schedule' && refetchSoon(),
    refetch,
  })
  const now = useNow() ?? data.now.getTime()
  const isOld = now - data.now.getTime() > REFETCH_MS

  // biome-ignore lint/correctness/useExhaustiveDependencies: tries again every minute while the data is old
  useEffect(() => {
    if (isOld) void refetch()
  }, [isOld, now])

  const occurrences = data.occurrences.filter(({ endsAt }) => endsAt.getTime() > now)
  const isRunning = ({ startsAt }: OccurrenceView) => startsAt.getTime() <= now
  return {
    occurrences,
    current: occurrences.find(isRunning) ?? null,
    next: occurrences.find((occurrence) => !isRunning(occurrence)) ?? null,
  }
}
