import { type StreamPassword, streamerNameLimits } from '#src/contract/streamer.ts'
import type { UserView } from '#src/contract/user.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './screens.module.css'

type StreamerDialogProps = {
  user: UserView
  open: boolean
  onClose: () => void
  onChanged: () => void
  onPassword: (created: StreamPassword) => void
  /** asks first, in another dialog */
  onRenew: () => void
  onRemove: () => void
}

/** Lets a user stream, or changes the streaming account. The caller changes the React key on each opening. */
export function StreamerDialog({ user, open, onClose, onChanged, onPassword, onRenew, onRemove }: StreamerDialogProps) {
  const { email, streamer } = user
  const saved = { name: streamer?.name ?? '' }
  const { fields, refusal, refuse, submitting, control } = useForm(saved)
  const { mutate, isPending } = useMutation({
    mutationFn: async (change: { name: string } | { isDisabled: boolean }) => {
      const { streamer: calls } = await trpc()
      if (!streamer && 'name' in change) return calls.allow.mutate({ email, name: change.name })
      return calls.change.mutate({ email, ...change })
    },
    onSuccess: (result) => {
      onClose()
      if ('password' in result) return onPassword(result)
      toast(t('admin.streamerChanged', { email }))
      onChanged()
    },
    onError: (error) => refuse(errorText(error, t('admin.streamerFailed')), refusedField(error)),
  })

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('admin.streaming')}
      lead={email}
      narrow
      busy={isPending}
      dirty={fields.name !== saved.name}
      onSubmit={submitting(() => mutate(fields))}
      foot={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            {streamer ? t('ui.save') : t('admin.allow')}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label={t('admin.streamerName')} hint={streamer ? undefined : t('admin.streamerNameHint')}>
        <TextInput {...control('name')} maxLength={streamerNameLimits.max} autoComplete="off" />
      </Field>
      {streamer && (
        <div className={styles.bar}>
          <Button size="small" onClick={onRenew}>
            {t('admin.newPassword')}
          </Button>
          <Button size="small" disabled={isPending} onClick={() => mutate({ isDisabled: !streamer.isDisabled })}>
            {streamer.isDisabled ? t('admin.enable') : t('admin.disable')}
          </Button>
          <Button size="small" variant="danger" onClick={onRemove}>
            {t('admin.removeAccount')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
