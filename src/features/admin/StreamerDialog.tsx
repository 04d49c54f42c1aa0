import { useState } from 'react'
import type { NewPassword, UserView } from '#src/contract/auth.ts'
import { type StreamPassword, streamerNameLimits } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import type { useDeletion } from '#src/ui/useDeletion.tsx'
import styles from './screens.module.css'

type StreamerDialogProps = {
  user: UserView
  onClose: () => void
  onChanged: () => void
  onPassword: (created: StreamPassword) => void
  /** asks first, in another dialog */
  onRenew: () => void
  onRemove: () => void
}

/** Lets a user stream, or changes the streaming account. */
export function StreamerDialog({ user, onClose, onChanged, onPassword, onRenew, onRemove }: StreamerDialogProps) {
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
    onError: (error) => refuse(errorText(error, t('streamer.renewFailed')), refusedField(error)),
  })

  return (
    <FormDialog
      onClose={onClose}
      title={t('admin.streaming')}
      lead={email}
      narrow
      busy={isPending}
      dirty={fields.name !== saved.name}
      onSubmit={submitting(() => mutate(fields))}
      label={streamer ? t('ui.save') : t('admin.allow')}
      refusal={refusal?.text}
    >
      <Field label={t('admin.streamerName')} hint={streamer ? undefined : t('admin.streamerNameHint')}>
        <TextInput {...control('name')} maxLength={streamerNameLimits.max} autoComplete="off" />
      </Field>
      {streamer && (
        <div className={`cluster ${styles.bar}`}>
          <Button size="small" onClick={onRenew}>
            {t('account.newPassword')}
          </Button>
          <Button size="small" disabled={isPending} onClick={() => mutate({ isDisabled: !streamer.isDisabled })}>
            {streamer.isDisabled ? t('admin.enable') : t('admin.disable')}
          </Button>
          <Button size="small" variant="danger" onClick={onRemove}>
            {t('admin.removeAccount')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

type Handlers = {
  askToDelete: ReturnType<typeof useDeletion>['askToDelete']
  onChanged: () => void
  onPassword: (created: NewPassword) => void
}

/** Returns the `dialog` of streaming accounts, and `open`, which opens it for a user. */
export function useStreamerDialog({ askToDelete, onChanged, onPassword }: Handlers) {
  const [user, open] = useState<UserView | null>(null)
  if (!user) return { dialog: null, open }

  const { email } = user
  const close = () => open(null)
  const showPassword = ({ password }: StreamPassword) => onPassword({ email, password })

  function askToRenew() {
    close()
    const deletion = {
      title: t('streamer.renewQuestion'),
      text: t('admin.newStreamPasswordText', { email }),
      verb: t('streamer.renewVerb'),
      failed: t('streamer.renewFailed'),
      done: t('streamer.renewed'),
      run: async () => (await trpc()).streamer.renewPassword.mutate({ email }),
    }
    void askToDelete(deletion, showPassword)
  }

  function askToRemove() {
    close()
    const deletion = {
      title: t('admin.removeStreamerTitle'),
      text: t('admin.removeStreamerText', { email }),
      verb: t('ui.remove'),
      failed: t('streamer.renewFailed'),
      done: t('admin.streamerRemoved'),
      run: async () => (await trpc()).streamer.remove.mutate({ email }),
    }
    void askToDelete(deletion, onChanged)
  }

  const dialog = (
    <StreamerDialog
      user={user}
      onClose={close}
      onChanged={onChanged}
      onPassword={showPassword}
      onRenew={askToRenew}
      onRemove={askToRemove}
    />
  )
  return { dialog, open }
}
