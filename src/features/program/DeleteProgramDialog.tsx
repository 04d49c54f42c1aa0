import { useEffect, useRef } from 'react'
import { type ProgramView, programMessages } from '#src/contract/program.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'

type DeleteProgramDialogProps = {
  program: ProgramView
  open: boolean
  onClose: () => void
  /** called after the deletion, when the dialog has closed and restored the focus */
  onDeleted: () => void
}

export default function DeleteProgramDialog({ program, open, onClose, onDeleted }: DeleteProgramDialogProps) {
  const isDeleted = useRef(false)
  const deletion = useMutation({
    mutationFn: async () => (await trpc()).program.delete.mutate({ id: String(program.id) }),
    onSuccess: () => {
      isDeleted.current = true
      toast(`${program.name} deleted`)
      close()
    },
  })

  // Runs after the dialog's own effect, which closes it.
  useEffect(() => {
    if (open || !isDeleted.current) return
    isDeleted.current = false
    onDeleted()
  }, [open, onDeleted])

  function close() {
    deletion.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      title={`Delete ${program.name}?`}
      confirmLabel="Delete"
      busy={deletion.isPending}
      error={deletion.error && errorText(deletion.error, programMessages.delete)}
      onConfirm={() => deletion.mutate()}
      onClose={close}
    >
      It will be gone from the list for everybody.
    </ConfirmDialog>
  )
}
