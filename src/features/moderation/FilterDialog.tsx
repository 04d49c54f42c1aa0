import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  FILTER_EFFECTS,
  FILTER_FIELDS,
  FILTER_KINDS,
  type FilterDryRun,
  type FilterForm,
  type FilterKind,
  type FilterView,
  filterLimits,
} from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { Choice } from '#src/ui/Checkbox.tsx'
import { Field, Select, TextInput } from '#src/ui/Field.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { DryRunResult } from './DryRunResult.tsx'
import { effectTexts, fieldTexts, kindTexts } from './filterTexts.ts'

const NEW_FILTER: FilterForm = {
  kind: 'literal',
  value: '',
  fields: ['post', 'name', 'paste'],
  effect: 'hold',
  message: '',
  replacement: '',
  enabled: true,
}

type FilterDialogProps = {
  /** the filter to edit; undefined to create a filter */
  filter: FilterView | undefined
  onClose: () => void
  onSaved: (saved: FilterView) => void
}

/** Adds or edits a filter. Shows what the filter would have caught before it can be saved. */
export function FilterDialog({ filter, onClose, onSaved }: FilterDialogProps) {
  const saved: FilterForm = filter ?? NEW_FILTER
  const [form, setForm] = useState(saved)
  const replaces = form.effect === 'replace'
  const [refusal, setRefusal] = useState<string | null>(null)
  const [tried, setTried] = useState<{ subject: string; result: FilterDryRun } | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const resultHeading = useRef<HTMLHeadingElement>(null)
  const subject = JSON.stringify([form.kind, form.value, form.fields, replaces && form.replacement])
  const result = tried?.subject === subject ? tried.result : null
  const texts = kindTexts[form.kind]()

  function refuse(error: unknown, failed: string) {
    setRefusal(errorText(error, failed))
    focusInView(element.current?.elements.namedItem(refusedField(error) ?? ''))
  }
  const trying = useMutation({
    mutationFn: async (given: FilterForm) => (await trpc()).moderation.filters.dryRun.mutate(given),
    onSuccess: (found) => setTried({ subject, result: found }),
    onError: (error) => refuse(error, t('moderation.dryRunFailed')),
  })
  const saving = useMutation({
    mutationFn: async (given: FilterForm) => {
      const { filters } = (await trpc()).moderation
      return filter ? filters.update.mutate({ ...given, id: String(filter.id) }) : filters.create.mutate(given)
    },
    onSuccess: onSaved,
    onError: (error) => refuse(error, t('moderation.saveFilterFailed')),
  })
  const isBusy = trying.isPending || saving.isPending

  useEffect(() => {
    if (tried) focusInView(resultHeading.current)
  }, [tried])

  const change = (patch: Partial<FilterForm>) => setForm((before) => ({ ...before, ...patch }))
  const text = (name: 'value' | 'replacement' | 'message') => ({
    name,
    value: form[name],
    maxLength: filterLimits[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: HTMLInputElement }) => change({ [name]: target.value }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    setRefusal(null)
    element.current = event.currentTarget
    if (result) saving.mutate(form)
    else trying.mutate(form)
  }

  return (
    <FormDialog
      onClose={onClose}
      title={filter ? t('moderation.editFilter') : t('moderation.addFilter')}
      dirty={JSON.stringify(form) !== JSON.stringify(saved)}
      busy={isBusy}
      onSubmit={submit}
      label={result ? t('ui.save') : t('moderation.tryFilter')}
      refusal={refusal}
    >
      <Field label={t('moderation.looksFor')}>
        <Select name="kind" value={form.kind} onChange={({ target }) => change({ kind: target.value as FilterKind })}>
          {FILTER_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kindTexts[kind]().label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={texts.label} hint={texts.hint}>
        <TextInput {...text('value')} mono placeholder={texts.placeholder} autoCapitalize="off" spellCheck={false} />
      </Field>
      <fieldset>
        <legend>{t('moderation.filterIn')}</legend>
        {FILTER_FIELDS.map((field) => (
          <Choice
            key={field}
            type="checkbox"
            name="fields"
            checked={form.fields.includes(field)}
            onChange={(checked) =>
              change({
                fields: FILTER_FIELDS.filter((other) => (other === field ? checked : form.fields.includes(other))),
              })
            }
            {...fieldTexts[field]()}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('moderation.effectTitle')}</legend>
        {FILTER_EFFECTS.map((effect) => (
          <Choice
            key={effect}
            type="radio"
            name="effect"
            checked={form.effect === effect}
            onChange={() =>
              // Pastes are stored as they are.
              change({
                effect,
                ...(effect === 'replace' && { fields: form.fields.filter((field) => field !== 'paste') }),
              })
            }
            {...effectTexts[effect]()}
          />
        ))}
      </fieldset>
      {replaces && (
        <Field label={t('field.replacement')} hint={t('moderation.replacementHint')}>
          <TextInput {...text('replacement')} />
        </Field>
      )}
      <Field label={t('moderation.refusedMessage')} hint={t('moderation.refusedMessageHint')}>
        <TextInput {...text('message')} />
      </Field>
      {result && <DryRunResult result={result} heading={resultHeading} />}
    </FormDialog>
  )
}
