import { useEffect } from 'react'
import type { OccurrenceView } from '#src/contract/show.ts'
import { useLiveData } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'
import { useNow } from '#src/ui/useNow.ts'

/** An open page would otherwise list fewer and fewer days. */
const REFETCH_MS = 60 * 60 * 1000

export type ScheduleData = { occurrences: OccurrenceView[]; now: Date; lastEventId: string }

/** Returns the occurrences that have not ended, and keeps them current. */
export function useSchedule(initialData: ScheduleData) {
  const { data, refetch } = useLiveData({
    initialData,
    lastEventId: initialData.lastEventId,
    key: initialData.now.getTime(),
    read: async (): Promise<ScheduleData> => (await trpc()).show.schedule.query({}),
    topic: 'shows',
    isChange: ({ kind }) => kind === 'schedule',
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
