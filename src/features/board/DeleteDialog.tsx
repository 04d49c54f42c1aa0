import { useEffect, useRef } from 'react'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { describeDeletion, type Target } from './deletions.ts'

type DeleteDialogProps = {
  target: Target
  open: boolean
  onClose: () => void
  /** called after the deletion, when the dialog has closed and restored the focus */
  after: () => void
}

export default function DeleteDialog({ target, open, onClose, after }: DeleteDialogProps) {
  const isDone = useRef(false)
  const texts = describeDeletion(target)
  const deletion = useMutation({
    mutationFn: texts.run,
    onSuccess: () => {
      isDone.current = true
      toast(texts.done)
      close()
    },
  })

  // Runs after the dialog's own effect, which closes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the closing that brings it
  useEffect(() => {
    if (open || !isDone.current) return
    isDone.current = false
    after()
  }, [open])

  function close() {
    deletion.reset()
    onClose()
  }

  return (
    <ConfirmDialog
      open={open}
      title={texts.title}
      confirmLabel="Delete"
      busy={deletion.isPending}
      error={deletion.error && errorText(deletion.error, texts.failed)}
      onConfirm={() => deletion.mutate()}
      onClose={close}
    >
      {texts.text}
    </ConfirmDialog>
  )
}
