import type { MouseEvent } from 'react'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
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
  /** removes the row of its button: the focus moves to the one beside it */
  removesRow?: true
}

/**
 * Runs actions of buttons.
 * @param onDone loads the list again
 * @returns `action`, which makes the props of a button; whether an action runs; and the `alert` of one that failed
 */
export function useActions(onDone: () => unknown) {
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: async ({ run }: Action & { moveFocus: () => void }) => run(await trpc()),
    onSuccess: async (_result, { done, removesRow, moveFocus }) => {
      toast(done)
      await onDone()
      if (removesRow) moveFocus()
    },
    // The list may be old: another admin may have removed the item.
    onError: () => void onDone(),
  })
  return {
    action: (action: Action) => ({
      busy: isPending && variables.key === action.key,
      onClick: ({ currentTarget }: MouseEvent) =>
        mutate({ ...action, moveFocus: prepareNeighbourFocus(currentTarget.closest('li')) }),
    }),
    isBusy: isPending,
    alert: error && variables && <Alert onDismiss={reset}>{errorText(error, variables.failed)}</Alert>,
  }
}
