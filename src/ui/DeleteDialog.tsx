import { useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Field, TextInput } from './Field.tsx'
import { FormDialog } from './FormDialog.tsx'
import { ReasonField } from './ReasonField.tsx'
import { toast } from './Toast.tsx'

export type Deletion<Result = unknown> = {
  title: string
  text: string
  /** label of the button; default 'Delete' */
  verb?: string
  /** look of the button; default 'danger' */
  variant?: 'danger' | 'primary'
  /** message if the server does not give a reason */
  failed: string
  done: string
  /** lets a moderator give a reason, which `run` receives */
  reasonHint?: string
  /** what must be typed before the button works, for a loss that is too large for a slip */
  typed?: string
  run: (reason: string) => Promise<Result>
}

type DeleteDialogProps<Result> = {
  deletion: Deletion<Result>
  onClose: () => void
  /** called after the dialog has closed and restored the focus */
  onDeleted: (result: Result) => void
}

export function DeleteDialog<Result>({ deletion, onClose, onDeleted }: DeleteDialogProps<Result>) {
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deletion.run(reason),
    onSuccess: (result) => {
      toast(deletion.done)
      flushSync(onClose)
      onDeleted(result)
    },
  })

  return (
    <FormDialog
      onClose={onClose}
      title={deletion.title}
      narrow
      busy={isPending}
      dirty={reason !== '' || typed !== ''}
      onSubmit={() => mutate()}
      label={deletion.verb ?? t('ui.delete')}
      variant={deletion.variant ?? 'danger'}
      disabled={deletion.typed !== undefined && typed.trim() !== deletion.typed}
      refusal={error && errorText(error, deletion.failed)}
    >
      <p>{deletion.text}</p>
      {deletion.typed !== undefined && (
        <Field label={t('ui.typeToDelete', { text: deletion.typed })}>
          <TextInput
            mono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      )}
      {deletion.reasonHint !== undefined && (
        <ReasonField value={reason} onChange={setReason} hint={deletion.reasonHint} />
      )}
    </FormDialog>
  )
}
