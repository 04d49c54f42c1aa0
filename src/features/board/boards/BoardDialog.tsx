import { type BoardForm, type BoardView, boardLimits } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { counterIfNearLimit, Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'

const empty = { name: '', description: '' }

type BoardDialogProps = { open: boolean; onClose: () => void; onCreated: (board: BoardView) => void }

export function BoardDialog({ open, onClose, onCreated }: BoardDialogProps) {
  const { fields, refusal, refuse, dismiss, submitting, control, clear } = useForm(empty)
  const creation = useMutation({
    mutationFn: async (form: BoardForm) => (await trpc()).board.create.mutate(form),
    onSuccess: (board) => {
      discard()
      toast(t('board.boardCreated', { board: board.id }))
      onCreated(board)
    },
    onError: (error) => refuse(errorText(error, t('board.createBoardFailed')), refusedField(error)),
  })

  /** Keeps the typed text, because visitors close dialogs by accident. */
  function close() {
    dismiss()
    onClose()
  }

  function discard() {
    clear()
    onClose()
  }

  return (
    <FormDialog
      open={open}
      onClose={close}
      title={t('board.createBoard')}
      narrow
      busy={creation.isPending}
      dirty={fields.name !== '' || fields.description !== ''}
      onSubmit={submitting(() => creation.mutate(fields))}
      onCancel={discard}
      label={t('board.create')}
      refusal={refusal?.text}
    >
      <Field
        label={t('board.boardName')}
        hint={t('board.boardNameHint')}
        counter={counterIfNearLimit(fields.name, boardLimits.boardName)}
      >
        <TextInput {...control('name')} autoComplete="off" />
      </Field>
      <Field label={t('field.description')} counter={{ text: fields.description, max: boardLimits.boardDescription }}>
        <TextArea {...control('description')} rows={3} />
      </Field>
    </FormDialog>
  )
}
