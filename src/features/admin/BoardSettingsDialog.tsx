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

type Setting = Exclude<keyof BoardView, 'id' | 'moderators'>
type Fields = Record<Setting, string>

/** Returns the texts of the controls. */
const toFields = ({ id: _id, moderators: _moderators, ...settings }: BoardView): Fields => ({
  ...(Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])) as Fields),
  threadLimit: settings.threadLimit === 0 ? '' : String(settings.threadLimit),
})

/** Returns the setting that a text stands for. @param before the setting as it is */
function toSetting(text: string, before: BoardView[Setting]): BoardView[Setting] {
  if (typeof before === 'number') return Number(text)
  return typeof before === 'boolean' ? text === 'true' : text
}

/** Saves the changed fields. Reads the texts again, because another admin may have changed them. */
async function saveChanges(board: BoardView, changes: Partial<Fields>): Promise<void> {
  const { board: calls } = await trpc()
  const { boards } = await calls.list.query()
  const { id: boardId, name, description, rules } = boards.find(({ id }) => id === board.id) ?? board
  const changed = Object.entries(changes).map(([key, text]) => [key, toSetting(text, board[key as Setting])])
  await calls.change.mutate({ boardId, name, description, rules, ...Object.fromEntries(changed) })
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
