import { X } from 'lucide-react'
import { IMAGE_TYPES } from '#src/contract/image.ts'
import type { ShowView } from '#src/contract/show.ts'
import { t } from '#src/i18n/t.ts'
import { findImageFileError } from '#src/lib/imageFileError.ts'
import { Button } from '#src/ui/Button.tsx'
import { Field } from '#src/ui/Field.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { useIncomingFiles } from '#src/ui/useIncomingFiles.ts'
import { ShowImage } from './ScheduleDay.tsx'
import styles from './ScheduleScreen.module.css'
import type { ShowImageChange } from './showFields.ts'

type ShowImageFieldProps = {
  saved: ShowView['image']
  change: ShowImageChange
  onChange: (change: ShowImageChange) => void
  onFault: (text: string) => void
}

export function ShowImageField({ saved, change, onChange, onFault }: ShowImageFieldProps) {
  const over = useIncomingFiles((files) => void choose(files))

  async function choose([file]: File[]) {
    const fault = file ? await findImageFileError(file) : null
    if (fault !== null) return onFault(fault)
    onChange({ ...change, file: file ?? null })
  }

  return (
    <Field label={t('show.picture')}>
      {saved && !change.file && !change.isRemoved && (
        <div className="cluster">
          <ShowImage image={saved} className={styles.picture} />
          <Button size="small" onClick={() => onChange({ file: null, isRemoved: true })}>
            <X className="icon icon-s" />
            {t('show.removePicture')}
          </Button>
        </div>
      )}
      <FilePicker
        file={change.file}
        over={over}
        onChange={(files) => void choose(files)}
        accept={IMAGE_TYPES.join(',')}
        hint={t('image.formats')}
      />
    </Field>
  )
}
