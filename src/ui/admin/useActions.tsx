import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { toast } from '#src/ui/Toast.tsx'

export type Action = {
  /** names the button that is busy meanwhile */
  key: string
  run: (client: Awaited<ReturnType<typeof trpc>>) => Promise<unknown>
  done: string
  /** message if the server does not give a reason */
  failed: string
  /** runs once the new data is loaded, for actions that remove their own button */
  moveFocus?: () => void
}

/**
 * Runs actions of buttons.
 * @param onDone loads the list again
 * @returns the running action's `busyKey`, and the `alert` of an action that failed
 */
export function useActions(onDone: () => unknown) {
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: async ({ run }: Action) => run(await trpc()),
    onSuccess: async (_result, { done, moveFocus }) => {
      toast(done)
      await onDone()
      moveFocus?.()
    },
    // The list may be old: another admin may have removed the item.
    onError: () => void onDone(),
  })
  return {
    act: mutate,
    busyKey: isPending ? variables.key : null,
    alert: error && variables && <Alert onDismiss={reset}>{errorText(error, variables.failed)}</Alert>,
  }
}
