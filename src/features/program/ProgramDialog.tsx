import { type FormEvent, useState } from 'react'
import { PROGRAM_CATEGORIES, type ProgramView, programLimits, programMessages } from '#src/contract/program.ts'
import { type ProgramForm, programForm } from '#src/contract/programForms.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorCode, errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { Select } from '#src/ui/Select.tsx'
import { toast } from '#src/ui/Toast.tsx'

const toForm = (program?: ProgramView): ProgramForm =>
  Object.fromEntries(programForm.keyof().options.map((name) => [name, program?.[name] ?? ''])) as ProgramForm

type ProgramDialogProps = {
  /** the program to edit; undefined to create a program */
  program?: ProgramView
  open: boolean
  onClose: () => void
  onSaved: (program: ProgramView) => void
  refetchProgram: (id: number) => Promise<ProgramView | undefined>
}

/** Adds or edits a program. The caller changes the React key on each opening, to reset the form. */
export function ProgramDialog({ program, open, onClose, onSaved, refetchProgram }: ProgramDialogProps) {
  // The program as last loaded. If someone else changed it, saving fails and loads it again.
  const [edited, setEdited] = useState(program)
  const savedFields = toForm(edited)
  const { fields, setFields, refusal, setRefusal, validate, control } = useForm(savedFields, programForm)
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
      toast(edited ? `${saved.name} updated` : `${saved.name} added`)
      onSaved(saved)
    },
    onError: refuse,
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsConflict(false)
    if (validate(event.currentTarget)) saving.mutate(fields)
  }

  async function refuse(error: unknown) {
    const text = errorText(error, edited ? programMessages.update : programMessages.create)
    const changed = errorCode(error) === 'CONFLICT'
    const current = changed && edited ? await refetchProgram(edited.id) : undefined
    if (current) setEdited(current)
    setIsConflict(current !== undefined)
    setRefusal({ text })
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={program ? 'Edit Program' : 'Add New Program'}
      dirty={Object.entries(savedFields).some(([name, value]) => fields[name as keyof ProgramForm] !== value)}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={saving.isPending}>
            {program ? 'Update' : 'Add'}
          </Button>
        </>
      }
    >
      {refusal && (
        <Alert>
          <p>{refusal.text}</p>
          {isConflict && (
            <p>
              Your text is still here. Update again to replace theirs, or{' '}
              <Button
                variant="text"
                onClick={() => {
                  setFields(savedFields)
                  setRefusal(null)
                }}
              >
                show theirs
              </Button>
              .
            </p>
          )}
        </Alert>
      )}
      <Field label="Program Name">
        <TextInput {...control('name')} maxLength={programLimits.name} autoComplete="off" />
      </Field>
      <Field label="Website Link">
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
        label="Description"
        counter={{ text: fields.description, max: programLimits.description }}
        hint="What is it for, and why do you love it?"
      >
        <TextArea {...control('description')} rows={4} />
      </Field>
      <Field label="Added By" hint="Your name on IRC.">
        <TextInput {...control('addedBy')} maxLength={programLimits.addedBy} autoComplete="nickname" />
      </Field>
      <Field label="Category">
        <Select {...control('category')}>
          <option value="" disabled hidden>
            Choose a category
          </option>
          {categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </Select>
      </Field>
    </Dialog>
  )
}
