import { useCallback, useState } from 'react'
import type { DeleteDialog, Deletion } from './DeleteDialog.tsx'
import { loadCode } from './loadCode.ts'

type DialogState = { Dialog: typeof DeleteDialog; deletion: Deletion; onDeleted: () => void; open: boolean }

/** Loads the dialog when it first opens. @returns the `dialog` element, and `askToDelete`, which opens the dialog */
export function useDeletion() {
  const [state, setState] = useState<DialogState | null>(null)

  const askToDelete = useCallback(async (describe: () => Promise<Deletion>, onDeleted: () => void) => {
    const loaded = await loadCode(() => Promise.all([import('./DeleteDialog.tsx'), describe()]))
    if (!loaded) return
    const [{ DeleteDialog: Dialog }, deletion] = loaded
    setState({ Dialog, deletion, onDeleted, open: true })
  }, [])

  if (!state) return { dialog: null, askToDelete }
  const { Dialog, ...props } = state
  return { dialog: <Dialog {...props} onClose={() => setState({ ...state, open: false })} />, askToDelete }
}
