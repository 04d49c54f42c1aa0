import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type RecordedBroadcast, recordingLimits } from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Choice } from '#src/ui/Checkbox.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './RecordingDialog.module.css'
import { readTrackFields, type TrackFields, toTrackFields } from './trackFields.ts'

type RecordingDialogProps = {
  broadcast: RecordedBroadcast
  onClose: () => void
  onSaved: () => void
  onDelete: () => void
}

/** Edits a recording. */
export function RecordingDialog({ broadcast, onClose, onSaved, onDelete }: RecordingDialogProps) {
  const [title, setTitle] = useState(broadcast.title ?? '')
  const [isHidden, setHidden] = useState(broadcast.isHidden)
  const [rows, setRows] = useState(() => toTrackFields(broadcast.tracks))
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isDirty, setDirty] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const [added, setAdded] = useState(0)

  useEffect(() => {
    if (added > 0) focusInView(list.current?.querySelector('li:last-child input'))
  }, [added])

  const saving = useMutation({
    mutationFn: async (update: Parameters<Client['recording']['update']['mutate']>[0]) =>
      (await trpc()).recording.update.mutate(update),
    onSuccess: () => {
      onClose()
      toast(t('archive.saved'))
      onSaved()
    },
    onError: (error) => setRefusal(errorText(error, t('archive.saveFailed'))),
  })

  function change(edit: () => void) {
    setDirty(true)
    edit()
  }

  const text = (row: TrackFields, name: 'time' | 'artist' | 'title', placeholder: string) => ({
    placeholder,
    value: row[name],
    maxLength: recordingLimits.text,
    onChange: ({ target }: { target: HTMLInputElement }) =>
      change(() =>
        setRows((before) => before.map((one) => (one.key === row.key ? { ...one, [name]: target.value } : one))),
      ),
  })

  function addRow() {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
    change(() => setRows((before) => [...before, { key, time: '', artist: '', title: '', seconds: -1 }]))
    setAdded((count) => count + 1)
  }

  function submit() {
    setRefusal(null)
    const read = readTrackFields(rows)
    if ('wrong' in read) {
      setRefusal(t('archive.wrongTime', { number: read.wrong + 1 }))
      focusInView(list.current?.querySelectorAll('li')[read.wrong]?.querySelector('input'))
      return
    }
    saving.mutate({ id: broadcast.id, title: title.trim() || null, isHidden, tracks: read.tracks })
  }

  return (
    <Dialog
      onClose={onClose}
      title={t('archive.editTitle')}
      dirty={isDirty}
      busy={saving.isPending}
      onSubmit={submit}
      foot={
        <>
          <Button variant="danger" className={styles.delete} onClick={onDelete}>
            {t('ui.delete')}
          </Button>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" busy={saving.isPending}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal}</Alert>}
      <Field label={t('field.title')} hint={t('archive.titleHint')}>
        <TextInput
          value={title}
          maxLength={recordingLimits.title}
          autoComplete="off"
          onChange={({ target }) => change(() => setTitle(target.value))}
        />
      </Field>
      <Choice
        label={t('archive.hidden')}
        hint={t('archive.hiddenHint')}
        checked={isHidden}
        onChange={(checked) => change(() => setHidden(checked))}
      />
      <fieldset className={`stack ${styles.tracks}`}>
        <legend>{t('player.tracklist')}</legend>
        <ol ref={list}>
          {rows.map((row, index) => (
            <li key={row.key} className={styles.track}>
              <TextInput
                {...text(row, 'time', '0:00')}
                mono
                aria-label={t('archive.trackTime', { number: index + 1 })}
                inputMode="numeric"
                maxLength={10}
              />
              <TextInput
                {...text(row, 'artist', t('field.artist'))}
                aria-label={t('archive.trackArtist', { number: index + 1 })}
              />
              <TextInput
                {...text(row, 'title', t('field.title'))}
                aria-label={t('archive.trackTitle', { number: index + 1 })}
              />
              <IconButton
                icon={Trash2}
                danger
                label={t('archive.removeTrack', { number: index + 1 })}
                onClick={() => change(() => setRows((before) => before.filter(({ key }) => key !== row.key)))}
              />
            </li>
          ))}
        </ol>
        <Button size="small" disabled={rows.length >= recordingLimits.tracks} onClick={addRow}>
          <Plus className="icon icon-s" />
          {t('archive.addTrack')}
        </Button>
      </fieldset>
    </Dialog>
  )
}

type Client = Awaited<ReturnType<typeof trpc>>
