import type { FormEvent } from 'react'
import { type BoardView, boardLimits } from '#src/contract/board.ts'
import { boardSettingsFields } from '#src/contract/boardForms.ts'
import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Choice } from '#src/ui/admin/Choice.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { counterIfNearLimit, Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { toast } from '#src/ui/Toast.tsx'

type BoardSettingsDialogProps = { board: BoardView; onClose: () => void; onChanged: () => void }

export function BoardSettingsDialog({ board, onClose, onChanged }: BoardSettingsDialogProps) {
  const { id, name, description, rules } = board
  const saved = {
    ...{ name, description, rules },
    threadLimit: board.threadLimit === 0 ? '' : String(board.threadLimit),
    posterLabels: String(board.posterLabels),
  }
  const { fields, setFields, refusal, setRefusal, validate, control } = useForm(saved, boardSettingsFields)
  const { mutate, isPending } = useMutation({
    mutationFn: async (changed: typeof fields) =>
      (await trpc()).board.change.mutate({ boardId: id, ...boardSettingsFields.parse(changed) }),
    onSuccess: () => {
      toast(`Board /${id}/ changed`)
      onClose()
      onChanged()
    },
    onError: (error) => setRefusal({ text: errorText(error, boardFormMessages.changeBoard) }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (validate(event.currentTarget)) mutate(fields)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit /${id}/`}
      busy={isPending}
      dirty={Object.entries(saved).some(([field, value]) => fields[field as keyof typeof saved] !== value)}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            Save
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label="Board Name" counter={counterIfNearLimit(fields.name, boardLimits.boardName)}>
        <TextInput {...control('name')} autoComplete="off" />
      </Field>
      <Field label="Description" counter={{ text: fields.description, max: boardLimits.boardDescription }}>
        <TextArea {...control('description')} rows={3} />
      </Field>
      <Field
        label="Posting rules"
        hint="Shown above the form, one rule per line. Leave empty for none."
        counter={{ text: fields.rules, max: boardLimits.boardRules }}
      >
        <TextArea {...control('rules')} required={false} rows={5} />
      </Field>
      <Field
        label="Threads in the list"
        hint="Older threads move to the archive, where nobody can post. Leave empty for no limit."
      >
        <TextInput {...control('threadLimit')} required={false} inputMode="numeric" autoComplete="off" />
      </Field>
      <Choice
        label="Show an ID per poster"
        hint="New posts show an ID that is the same for all posts from one network address in a thread, and different in every other thread. It also changes after ORIGIN_DAYS. With ORIGIN_DAYS=0 there are no IDs."
        checked={fields.posterLabels === 'true'}
        onChange={(checked) => setFields((before) => ({ ...before, posterLabels: String(checked) }))}
      />
    </Dialog>
  )
}
