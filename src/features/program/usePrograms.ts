import type { ProgramView } from '#src/contract/program.ts'
import { useLiveData } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'

export function usePrograms({ programs: initialData, lastEventId }: { programs: ProgramView[]; lastEventId: string }) {
  const { data, update, refetch } = useLiveData({
    initialData,
    lastEventId,
    read: async () => (await (await trpc()).program.list.query()).programs,
    topic: 'programs',
  })

  return {
    programs: data,
    append: (added: ProgramView) => update((programs) => [...programs.filter(({ id }) => id !== added.id), added]),
    replace: (edited: ProgramView) =>
      update((programs) => programs.map((program) => (program.id === edited.id ? edited : program))),
    remove: (id: number) => update((programs) => programs.filter((program) => program.id !== id)),
    /** Resolves to the latest version of a program, or undefined if it was deleted or the request failed. */
    refetchProgram: async (id: number) => (await refetch())?.find((program) => program.id === id),
  }
}
