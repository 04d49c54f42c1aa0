import { X } from 'lucide-react'
import type { FormEvent } from 'react'
import type { BoardView } from '#src/contract/board.ts'
import { moderatorChange } from '#src/contract/boardForms.ts'
import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './screens.module.css'

type ModeratorsDialogProps = { board: BoardView; onClose: () => void; onChanged: () => Promise<unknown> }

const newModerator = moderatorChange.pick({ email: true })

export function ModeratorsDialog({ board: { id, moderators }, onClose, onChanged }: ModeratorsDialogProps) {
  const { fields, refusal, setRefusal, validate, control, clear } = useForm({ email: '' }, newModerator)
  const { mutate, isPending } = useMutation({
    mutationFn: async (change: { change: 'add' | 'remove'; email: string }) =>
      (await trpc()).board.changeModerator.mutate({ boardId: id, ...change }),
    onSuccess: (_result, { change, email }) => {
      clear()
      toast(change === 'add' ? `${email} moderates /${id}/` : `${email} no longer moderates /${id}/`)
      return onChanged()
    },
    onError: (error) => setRefusal({ text: errorText(error, boardFormMessages.changeBoard) }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (validate(event.currentTarget)) mutate({ change: 'add', email: fields.email })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Moderators of /${id}/`}
      narrow
      busy={isPending}
      dirty={fields.email !== ''}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            Add
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      {moderators.length === 0 ? (
        <p className="hint">Only admins moderate this board.</p>
      ) : (
        <ul className={styles.list} aria-label="Moderators">
          {moderators.map((email) => (
            <li key={email}>
              <span className="mono">{email}</span>
              <IconButton
                danger
                icon={X}
                label={`Remove ${email}`}
                disabled={isPending}
                onClick={() => mutate({ change: 'remove', email })}
              />
            </li>
          ))}
        </ul>
      )}
      <Field label="Email of a user" hint="Add users who have no account yet under Users.">
        <TextInput {...control('email')} type="email" autoComplete="off" />
      </Field>
    </Dialog>
  )
}
