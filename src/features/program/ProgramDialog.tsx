import { useState } from 'react'
import { PROGRAM_CATEGORIES, type ProgramForm, type ProgramView, programLimits } from '#src/contract/program.ts'
import { rich, t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorCode, errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Field, Select, TextArea, TextInput } from '#src/ui/Field.tsx'
import { EditRefusal, FormDialog } from '#src/ui/FormDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { describeCategory } from './categories.ts'

const NAMES = Object.keys(programLimits) as (keyof ProgramForm)[]

const toForm = (program?: ProgramView) =>
  Object.fromEntries(NAMES.map((name) => [name, program?.[name] ?? ''])) as ProgramForm

type ProgramDialogProps = {
  /** the program to edit; undefined to create a program */
  program?: ProgramView
  onClose: () => void
  onSaved: (program: ProgramView) => void
  refetchProgram: (id: number) => Promise<ProgramView | undefined>
}

/** Adds or edits a program. */
export function ProgramDialog({ program, onClose, onSaved, refetchProgram }: ProgramDialogProps) {
  // The program as last loaded. If someone else changed it, saving fails and loads it again.
  const [edited, setEdited] = useState(program)
  const savedFields = toForm(edited)
  const { fields, setFields, refusal, refuse, dismiss, submitting, control } = useForm(savedFields)
  const [isConflict, setIsConflict] = useState(false)
  const categories = [...new Set([...PROGRAM_CATEGORIES, ...(program ? [program.category] : [])])]

  const saving = useMutation({
    mutationFn: async (form: ProgramForm) => {
      const { program: calls } = await trpc()
      return edited
        ? calls.update.mutate({ ...form, id: String(edited.id), updatedAt: edited.updatedAt })
        : calls.create.mutate(form)
    },
    onSuccess: (saved) => {
      onClose()
      toast(edited ? t('program.updated', saved) : t('program.added', saved))
      onSaved(saved)
    },
    onError: showRefusal,
  })

  const submit = submitting(() => {
    setIsConflict(false)
    saving.mutate(fields)
  })

  async function showRefusal(error: unknown) {
    const text = errorText(error, edited ? t('program.updateFailed') : t('program.createFailed'))
    const changed = errorCode(error) === 'CONFLICT'
    const current = changed && edited ? await refetchProgram(edited.id) : undefined
    if (current) setEdited(current)
    setIsConflict(current !== undefined)
    refuse(text, refusedField(error))
  }

  return (
    <FormDialog
      onClose={onClose}
      title={program ? t('program.editTitle') : t('program.addTitle')}
      dirty={NAMES.some((name) => fields[name] !== savedFields[name])}
      onSubmit={submit}
      busy={saving.isPending}
      label={program ? t('program.update') : t('ui.add')}
      refusal={
        refusal && (
          <EditRefusal
            refusal={refusal}
            conflict={isConflict && ((button) => rich('program.conflict', { button }))}
            onLoad={() => {
              setFields(savedFields)
              dismiss()
            }}
          />
        )
      }
    >
      <Field label={t('program.name')}>
        <TextInput {...control('name')} maxLength={programLimits.name} autoComplete="off" />
      </Field>
      <Field label={t('program.link')}>
        <TextInput
          {...control('link')}
          mono
          type="url"
          placeholder="https://"
          maxLength={programLimits.link}
          autoComplete="off"
        />
      </Field>
      <Field
        label={t('field.description')}
        counter={{ text: fields.description, max: programLimits.description }}
        hint={t('program.descriptionHint')}
      >
        <TextArea {...control('description')} rows={4} />
      </Field>
      <Field label={t('program.addedBy')} hint={t('program.addedByHint')}>
        <TextInput {...control('addedBy')} maxLength={programLimits.addedBy} autoComplete="nickname" />
      </Field>
      <Field label={t('field.category')}>
        <Select {...control('category')}>
          <option value="" disabled hidden>
            {t('program.categoryPlaceholder')}
          </option>
          {categories.map((category) => (
            <option key={category} value={category}>
              {describeCategory(category).name()}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}
