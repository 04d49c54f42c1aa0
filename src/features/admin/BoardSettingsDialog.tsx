import { type BoardView, boardLimits } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Choice } from '#src/ui/Choice.tsx'
import { Dialog, FormButtons } from '#src/ui/Dialog.tsx'
import { counterIfNearLimit, Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { toast } from '#src/ui/Toast.tsx'

type BoardSettingsDialogProps = { board: BoardView; onClose: () => void; onChanged: () => void }

export function BoardSettingsDialog({ board, onClose, onChanged }: BoardSettingsDialogProps) {
  const { id, name, description, rules } = board
  const saved = {
    ...{ name, description, rules },
    threadLimit: board.threadLimit === 0 ? '' : String(board.threadLimit),
    posterLabels: String(board.posterLabels),
    defaultName: board.defaultName,
    latestReplies: String(board.latestReplies),
  }
  const { fields, setFields, refusal, refuse, submitting, control } = useForm(saved)
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ threadLimit, posterLabels, latestReplies, ...texts }: typeof fields) =>
      (await trpc()).board.change.mutate({
        boardId: id,
        ...texts,
        threadLimit: Number(threadLimit),
        posterLabels: posterLabels === 'true',
        latestReplies: Number(latestReplies),
      }),
    onSuccess: () => {
      toast(t('admin.boardChanged', { id }))
      onClose()
      onChanged()
    },
    onError: (error) => refuse(errorText(error, t('admin.boardFailed')), refusedField(error)),
  })

  return (
    <Dialog
      onClose={onClose}
      title={t('admin.editBoard', { id })}
      busy={isPending}
      dirty={Object.entries(saved).some(([field, value]) => fields[field as keyof typeof saved] !== value)}
      onSubmit={submitting(() => mutate(fields))}
      foot={<FormButtons onCancel={onClose} label={t('ui.save')} busy={isPending} />}
    >
      {refusal && <Alert>{refusal.text}</Alert>}
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
    </Dialog>
  )
}
