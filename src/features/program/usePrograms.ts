import type { ProgramView } from '#src/contract/program.ts'
import { useLive } from '#src/lib/live.ts'
import { useShown } from '#src/lib/shown.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { trpc } from '#src/lib/trpc.ts'

/** The programs, following what is added, edited and deleted elsewhere. */
export function usePrograms({ programs: initial, lastEventId }: { programs: ProgramView[]; lastEventId: string }) {
  const {
    data: programs,
    change,
    reread,
  } = useShown({
    version: lastEventId,
    initial,
    read: async () => (await (await trpc()).program.list.query()).programs,
    merge: (_shown, read) => read,
  })

  const rereadSoon = useThrottled(reread)

  useLive({ topics: ['programs'], lastEventId, onEvent: rereadSoon, onStale: rereadSoon })

  return {
    programs,
    append: (made: ProgramView) => change((known) => [...known.filter(({ id }) => id !== made.id), made]),
    replace: (edited: ProgramView) => change((known) => known.map((one) => (one.id === edited.id ? edited : one))),
    remove: (id: number) => change((known) => known.filter((one) => one.id !== id)),
    /** A program as it stands now; undefined when it is gone. */
    reread: async (id: number) => (await reread())?.find((one) => one.id === id),
  }
}
