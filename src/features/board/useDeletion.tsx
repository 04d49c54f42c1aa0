import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { preloadCode } from '#src/ui/preloadCode.ts'
import type { Target } from './deletions.ts'

const importDialog = () => import('./DeleteDialog.tsx')
const DeleteDialog = lazy(importDialog)

/** `after` runs after the deletion, when the dialog has closed and restored the focus. */
type DialogState = { target: Target; after: () => void; open: boolean }

/** Loads the dialog when a moderator first opens it. @returns the `dialog` element, and `askToDelete` to open it */
export function useDeletion() {
  const [state, setState] = useState<DialogState | null>(null)

  const askToDelete = useCallback(async (target: Target, after: () => void) => {
    if (await preloadCode(importDialog)) setState({ target, after, open: true })
  }, [])
  const dialog: ReactNode = state && (
    <Suspense fallback={null}>
      <DeleteDialog {...state} onClose={() => setState({ ...state, open: false })} />
    </Suspense>
  )
  return { dialog, askToDelete }
}
