import { useState } from 'react'
import { type ShowView, showLimits } from '#src/contract/show.ts'
import { rich, t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { UNAUTHORIZED } from '#src/lib/token.ts'
import { UploadError } from '#src/lib/upload.ts'
import { useForm } from '#src/lib/useForm.ts'
import { counterIfNearLimit, Field, Select, TextArea, TextInput } from '#src/ui/Field.tsx'
import { EditRefusal, FormDialog } from '#src/ui/FormDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './ScheduleScreen.module.css'
import { ShowImageField } from './ShowImageField.tsx'
import { listZones, type ShowImageChange, sendShow, toFields } from './showFields.ts'

const NO_CHANGE: ShowImageChange = { file: null, isRemoved: false }

type ShowDialogProps = {
  /** the show to edit; undefined to add one */
  show?: ShowView | undefined
  /** the user may add shows of these streamers */
  streamers: string[]
  onClose: () => void
  onSaved: () => void
  refetchShow: (id: number) => Promise<ShowView | undefined>
}

/** Adds or edits a show. */
export function ShowDialog({ show, streamers, onClose, onSaved, refetchShow }: ShowDialogProps) {
  // The show as last loaded. If someone else changed it, saving fails and loads it again.
  const [edited, setEdited] = useState(show)
  const savedFields = toFields(edited, streamers[0] ?? '')
  const { fields, setFields, refusal, refuse, dismiss, submitting, control } = useForm(savedFields)
  const [image, setImage] = useState(NO_CHANGE)
  const [isConflict, setIsConflict] = useState(false)
  const isWeekly = fields.isWeekly === 'true'
  const isChanged = Object.entries(savedFields).some(([name, value]) => fields[name as keyof typeof fields] !== value)

  const saving = useMutation({
    mutationFn: () => sendShow(fields, image, edited),
    onSuccess: () => {
      onClose()
      toast(edited ? t('show.changed', { title: fields.title }) : t('show.added', { title: fields.title }))
      onSaved()
    },
    onError: showRefusal,
  })

  const submit = submitting(() => {
    setIsConflict(false)
    saving.mutate()
  })

  async function showRefusal(error: unknown) {
    const { text, status, field } = error instanceof UploadError ? error : { text: null, status: 0, field: null }
    if (status === 401) window.dispatchEvent(new Event(UNAUTHORIZED))
    // The time can be taken, or someone else has changed the show.
    const current = status === 409 && edited ? await refetchShow(edited.id) : undefined
    const isOutdated = current !== undefined && current.updatedAt.getTime() !== edited?.updatedAt.getTime()
    if (isOutdated) setEdited(current)
    setIsConflict(isOutdated)
    refuse(text ?? (edited ? t('show.changeFailed') : t('show.addFailed')), field)
  }

  return (
    <FormDialog
      onClose={onClose}
      title={show ? t('show.editTitle') : t('show.addTitle')}
      busy={saving.isPending}
      dirty={isChanged || image !== NO_CHANGE}
      onSubmit={submit}
      label={show ? t('ui.save') : t('show.add')}
      refusal={
        refusal && (
          <EditRefusal
            refusal={refusal}
            conflict={isConflict && ((button) => rich('show.conflict', { link: button }))}
            onLoad={() => {
              setFields(savedFields)
              dismiss()
            }}
          />
        )
      }
    >
      {!show && streamers.length > 1 && (
        <Field label={t('field.streamer')}>
          <Select {...control('streamer')}>
            {streamers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
      )}
      <Field label={t('field.title')} counter={counterIfNearLimit(fields.title, showLimits.title)}>
        <TextInput {...control('title')} autoComplete="off" />
      </Field>
      <Field label={t('field.description')} counter={{ text: fields.description, max: showLimits.description }}>
        <TextArea {...control('description')} required={false} rows={3} />
      </Field>
      <ShowImageField saved={edited?.image ?? null} change={image} onChange={setImage} onFault={refuse} />
      <div className={styles.row}>
        <Field label={t('show.repeats')}>
          <Select {...control('isWeekly')}>
            <option value="true">{t('show.everyWeek')}</option>
            <option value="false">{t('show.once')}</option>
          </Select>
        </Field>
        <Field label={isWeekly ? t('show.firstDay') : t('show.day')}>
          <TextInput {...control('firstDay')} type="date" />
        </Field>
        {isWeekly && (
          <Field label={t('show.lastDay')}>
            <TextInput {...control('lastDay')} required={false} type="date" min={fields.firstDay} />
          </Field>
        )}
      </div>
      <div className={styles.row}>
        <Field label={t('show.start')}>
          <TextInput {...control('startTime')} type="time" />
        </Field>
        <Field label={t('show.minutes')}>
          <TextInput
            {...control('minutes')}
            type="number"
            inputMode="numeric"
            min={showLimits.minMinutes}
            max={showLimits.maxMinutes}
          />
        </Field>
        <Field label={t('show.timeZone')}>
          <Select {...control('zone')}>
            {listZones(fields.zone).map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="hint">{t('show.clockHint')}</p>
    </FormDialog>
  )
}
