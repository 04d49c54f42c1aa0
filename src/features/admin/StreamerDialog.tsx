import type { FormEvent } from 'react'
import { type StreamPassword, streamerMessages, streamerNameLimits } from '#src/contract/streamer.ts'
import { streamerName } from '#src/contract/streamerForms.ts'
import type { UserView } from '#src/contract/user.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
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
  const { fields, refusal, setRefusal, validate, control } = useForm(saved, streamerName)
  const { mutate, isPending } = useMutation({
    mutationFn: async (change: { name: string } | { isDisabled: boolean }) => {
      const { streamer: calls } = await trpc()
      if (!streamer && 'name' in change) return calls.allow.mutate({ email, name: change.name })
      return calls.change.mutate({ email, ...change })
    },
    onSuccess: (result) => {
      onClose()
      if ('password' in result) return onPassword(result)
      toast(`${email} changed`)
      onChanged()
    },
    onError: (error) => setRefusal({ text: errorText(error, streamerMessages.failed) }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (validate(event.currentTarget)) mutate(fields)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Streaming"
      lead={email}
      narrow
      busy={isPending}
      dirty={fields.name !== saved.name}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            {streamer ? 'Save' : 'Allow'}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field
        label="Name on air"
        hint={streamer ? undefined : 'Listeners see it. You’ll see the streaming password once.'}
      >
        <TextInput {...control('name')} maxLength={streamerNameLimits.max} autoComplete="off" />
      </Field>
      {streamer && (
        <div className={styles.bar}>
          <Button size="small" onClick={onRenew}>
            New password
          </Button>
          <Button size="small" disabled={isPending} onClick={() => mutate({ isDisabled: !streamer.isDisabled })}>
            {streamer.isDisabled ? 'Enable' : 'Disable'}
          </Button>
          <Button size="small" variant="danger" onClick={onRemove}>
            Remove account
          </Button>
        </div>
      )}
    </Dialog>
  )
}
