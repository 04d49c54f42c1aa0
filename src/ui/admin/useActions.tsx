import type { MouseEvent } from 'react'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'

type Client = Awaited<ReturnType<typeof trpc>>

export type Action = {
  /** names the button that is busy meanwhile */
  key: string
  run: (client: Client) => Promise<unknown>
  done: string
  /** message if the server does not give a reason */
  failed: string
  /** removes the row of its button: the focus moves to the one beside it */
  removesRow?: true
}

/** Asks before it deletes the row of its button. The focus then moves to the row beside it. */
type RowDeletion = Omit<Deletion, 'run'> & Pick<Action, 'run'>

/**
 * Runs actions of buttons.
 * @param onDone loads the list again
 * @returns `action` and `deletion`, which make the props of a button; whether an action runs; the `alert` of one that
 *   failed; and the `dialog` of a deletion
 */
export function useActions(onDone: () => unknown) {
  const { dialog, askToDelete } = useDeletion()
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
    deletion: ({ run, ...texts }: RowDeletion) => ({
      onClick({ currentTarget }: MouseEvent) {
        const moveFocus = prepareNeighbourFocus(currentTarget.closest('li'))
        const reload = async () => {
          await onDone()
          moveFocus()
        }
        void askToDelete({ ...texts, run: async () => run(await trpc()) }, reload)
      },
    }),
    dialog,
    isBusy: isPending,
    alert: error && variables && <Alert onDismiss={reset}>{errorText(error, variables.failed)}</Alert>,
  }
}
