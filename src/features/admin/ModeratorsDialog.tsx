import { X } from 'lucide-react'
import type { BoardView } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './screens.module.css'

type ModeratorsDialogProps = { board: BoardView; onClose: () => void; onChanged: () => Promise<unknown> }

export function ModeratorsDialog({ board: { id, moderators }, onClose, onChanged }: ModeratorsDialogProps) {
  const { fields, refusal, refuse, dismiss, submitting, control, clear } = useForm({ email: '' })
  const { mutate, isPending } = useMutation({
    mutationFn: async (change: { change: 'add' | 'remove'; email: string }) =>
      (await trpc()).board.changeModerator.mutate({ boardId: id, ...change }),
    onSuccess: (_result, { change, email }) => {
      // A removal keeps what the admin has begun to type.
      if (change === 'add') clear()
      else dismiss()
      toast(change === 'add' ? t('admin.moderatorAdded', { email, id }) : t('admin.moderatorRemoved', { email, id }))
      return onChanged()
    },
    onError: (error) => refuse(errorText(error, t('admin.boardFailed')), refusedField(error)),
  })

  return (
    <Dialog
      onClose={onClose}
      title={t('admin.moderatorsOf', { id })}
      narrow
      busy={isPending}
      dirty={fields.email !== ''}
      onSubmit={submitting(() => mutate({ change: 'add', email: fields.email }))}
      foot={
        <>
          <Button onClick={onClose}>{t('ui.done')}</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            {t('ui.add')}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      {moderators.length === 0 ? (
        <p className="hint">{t('admin.noModeratorsHint')}</p>
      ) : (
        <ul className={`divided ${styles.list}`} aria-label={t('admin.moderators')}>
          {moderators.map((email) => (
            <li key={email} className="spread">
              <span className="mono">{email}</span>
              <IconButton
                danger
                icon={X}
                label={t('admin.removeModerator', { email })}
                disabled={isPending}
                onClick={() => mutate({ change: 'remove', email })}
              />
            </li>
          ))}
        </ul>
      )}
      <Field label={t('admin.moderatorEmail')} hint={t('admin.moderatorEmailHint')}>
        <TextInput {...control('email')} type="email" autoComplete="off" />
      </Field>
    </Dialog>
  )
}
