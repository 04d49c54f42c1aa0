import { useEffect, useRef, useState } from 'react'
import { type ProgramView, programMessages } from '#src/contract/program.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'

type DeleteProgramDialogProps = {
  program: ProgramView | null
  onClose: () => void
  /** called when the dialog has closed and given the focus back */
  onDeleted: (program: ProgramView) => void
}

/** Asks before a program is deleted, and deletes it. */
export function DeleteProgramDialog({ program, onClose, onDeleted }: DeleteProgramDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const deleted = useRef<ProgramView | null>(null)

  // Runs after the dialog's own effect, which closes it.
  useEffect(() => {
    if (program || !deleted.current) return
    onDeleted(deleted.current)
    deleted.current = null
  }, [program, onDeleted])

  function close() {
    setError(null)
    onClose()
  }

  async function confirm() {
    if (!program) return
    setBusy(true)
    setError(null)
    try {
      await (await trpc()).program.delete.mutate({ id: String(program.id) })
      deleted.current = program
      toast(`${program.name} deleted`)
      close()
    } catch (failure) {
      setError(errorText(failure, programMessages.delete))
    } finally {
      setBusy(false)
    }
  }

  return (
    <ConfirmDialog
      open={program !== null}
      title={`Delete ${program?.name ?? ''}?`}
      confirmLabel="Delete"
      busy={busy}
      error={error}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      It will be gone from the list for everybody.
    </ConfirmDialog>
  )
}
