import { useEffect, useRef, useState } from 'react'
import { errorText } from '#src/lib/trpc.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { deletionOf, type Target } from './deletions.ts'

type DeleteDialogProps = {
  target: Target
  open: boolean
  onClose: () => void
  /** called when it is deleted, and the dialog has closed and given the focus back */
  after: () => void
}

/** Asks before something is deleted, and deletes it. */
export default function DeleteDialog({ target, open, onClose, after }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const isDone = useRef(false)
  const deletion = deletionOf(target)

  // Runs after the dialog's own effect, which closes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the closing that brings it
  useEffect(() => {
    if (open || !isDone.current) return
    isDone.current = false
    after()
  }, [open])

  function close() {
    setError(null)
    onClose()
  }

  async function confirm() {
    setBusy(true)
    setError(null)
    try {
      await deletion.run()
      isDone.current = true
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
      open={open}
      title={deletion.title}
      confirmLabel="Delete"
      busy={busy}
      error={error}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      {deletion.text}
    </ConfirmDialog>
  )
}
