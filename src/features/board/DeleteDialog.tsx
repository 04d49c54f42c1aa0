import { useEffect, useRef, useState } from 'react'
import { errorText } from '#src/lib/trpc.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'

/** Something that is about to be deleted. */
export type Deletion = {
  title: string
  text: string
  /** said when the server says nothing */
  failed: string
  /** said when it is done */
  done: string
  run: () => Promise<unknown>
  /** called when the dialog has closed and given the focus back */
  after: () => void
}

/** Asks before something is deleted, and deletes it. */
export function DeleteDialog({ deletion, onClose }: { deletion: Deletion | null; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const after = useRef<(() => void) | null>(null)

  // Runs after the dialog's own effect, which closes it.
  useEffect(() => {
    if (deletion) return
    after.current?.()
    after.current = null
  }, [deletion])

  function close() {
    setError(null)
    onClose()
  }

  async function confirm() {
    if (!deletion) return
    setBusy(true)
    setError(null)
    try {
      await deletion.run()
      after.current = deletion.after
      toast(deletion.done)
      close()
    } catch (failure) {
      setError(errorText(failure, deletion.failed))
    } finally {
      setBusy(false)
    }
  }

  return (
    <ConfirmDialog
      open={deletion !== null}
      title={deletion?.title ?? ''}
      confirmLabel="Delete"
      busy={busy}
      error={error}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      {deletion?.text}
    </ConfirmDialog>
  )
}
