import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { fetched } from '#src/ui/fetched.ts'
import type { Target } from './deletions.ts'

const importDialog = () => import('./DeleteDialog.tsx')
const DeleteDialog = lazy(importDialog)

/** `after` is called when the dialog has closed and given the focus back. */
type Asked = { target: Target; after: () => void; open: boolean }

/**
 * The dialog that asks before something is deleted, fetched when it is asked for: it is there for moderators alone.
 * @returns `dialog` to be rendered, `askToDelete` to open it
 */
export function useDeletion() {
  const [asked, setAsked] = useState<Asked | null>(null)

  const askToDelete = useCallback(async (target: Target, after: () => void) => {
    if (await fetched(importDialog)) setAsked({ target, after, open: true })
  }, [])
  const dialog: ReactNode = asked && (
    <Suspense fallback={null}>
      <DeleteDialog {...asked} onClose={() => setAsked({ ...asked, open: false })} />
    </Suspense>
  )
  return { dialog, askToDelete }
}
