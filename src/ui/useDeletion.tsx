import { type ReactNode, useState } from 'react'
import type { Deletion } from './DeleteDialog.tsx'
import { loadCode } from './useLazyComponent.ts'

/** Loads the dialog when it first opens. @returns the `dialog` element, and `askToDelete`, which opens the dialog */
export function useDeletion() {
  const [dialog, setDialog] = useState<ReactNode>(null)

  /** @param onDeleted called with what `run` returned */
  async function askToDelete<Result>(
    deletion: Deletion<Result> | Promise<Deletion<Result>>,
    onDeleted: (result: Result) => void,
  ) {
    const loaded = await loadCode(() => Promise.all([import('./DeleteDialog.tsx'), deletion]))
    if (!loaded) return
    const [{ DeleteDialog }, loadedDeletion] = loaded
    setDialog(<DeleteDialog deletion={loadedDeletion} onClose={() => setDialog(null)} onDeleted={onDeleted} />)
  }

  return { dialog, askToDelete }
}
