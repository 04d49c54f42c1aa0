import { type BoardView, boardLimits } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Choice } from '#src/ui/Checkbox.tsx'
import { counterIfNearLimit, Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'

type BoardSettingsDialogProps = { board: BoardView; onClose: () => void; onChanged: () => void }

const toFields = ({ threadLimit, posterLabels, latestReplies, ...board }: BoardView) => ({
  name: board.name,
  description: board.description,
  rules: board.rules,
  threadLimit: threadLimit === 0 ? '' : String(threadLimit),
  posterLabels: String(posterLabels),
  defaultName: board.defaultName,
  latestReplies: String(latestReplies),
})
type Fields = ReturnType<typeof toFields>

/** Saves the changed fields. Reads the others again, because another admin may have changed them. */
async function saveChanges(board: BoardView, changes: Partial<Fields>): Promise<void> {
  const { board: calls } = await trpc()
  const { boards } = await calls.list.query()
  const current = boards.find(({ id }) => id === board.id) ?? board
  const { threadLimit, posterLabels, latestReplies, ...texts } = { ...toFields(current), ...changes }
  await calls.change.mutate({
    boardId: board.id,
    ...texts,
    threadLimit: Number(threadLimit),
    posterLabels: posterLabels === 'true',
    latestReplies: Number(latestReplies),
  })
}

export function BoardSettingsDialog({ board, onClose, onChanged }: BoardSettingsDialogProps) {
  const { id } = board
  const saved = toFields(board)
  const { fields, setFields, refusal, refuse, submitting, control } = useForm(saved)
  const changes = Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== saved[field as keyof Fields]),
  ) as Partial<Fields>
  const { mutate, isPending } = useMutation({
    mutationFn: () => saveChanges(board, changes),
    onSuccess: () => {
      toast(t('admin.boardChanged', { id }))
      onClose()
      onChanged()
    },
    onError: (error) => refuse(errorText(error, t('admin.boardFailed')), refusedField(error)),
  })

  return (
    <FormDialog
      onClose={onClose}
      title={t('admin.editBoard', { id })}
      busy={isPending}
      dirty={Object.keys(changes).length > 0}
      onSubmit={submitting(mutate)}
      label={t('ui.save')}
      refusal={refusal?.text}
    >
      <Field label={t('board.boardName')} counter={counterIfNearLimit(fields.name, boardLimits.boardName)}>
        <TextInput {...control('name')} autoComplete="off" />
      </Field>
      <Field label={t('field.description')} counter={{ text: fields.description, max: boardLimits.boardDescription }}>
        <TextArea {...control('description')} rows={3} />
      </Field>
      <Field
        label={t('admin.boardRules')}
        hint={t('admin.boardRulesHint')}
        counter={{ text: fields.rules, max: boardLimits.boardRules }}
      >
        <TextArea {...control('rules')} required={false} rows={5} />
      </Field>
      <Field label={t('admin.threadsListed')} hint={t('admin.threadsListedHint')}>
        <TextInput {...control('threadLimit')} required={false} inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label={t('admin.latestReplies')} hint={t('admin.latestRepliesHint')}>
        <TextInput {...control('latestReplies')} inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label={t('admin.defaultName')} hint={t('admin.defaultNameHint')}>
        <TextInput {...control('defaultName')} required={false} placeholder="Anonymous" autoComplete="off" />
      </Field>
      <Choice
        label={t('admin.posterIds')}
        hint={t('admin.posterIdsHint')}
        checked={fields.posterLabels === 'true'}
        onChange={(checked) => setFields((before) => ({ ...before, posterLabels: String(checked) }))}
      />
    </FormDialog>
  )
}
