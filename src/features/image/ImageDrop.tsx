import { ImageUp, X } from 'lucide-react'
import { useEffect } from 'react'
import { IMAGE_TYPES } from '#src/contract/image.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { rich, t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { useEarlyChange } from '#src/ui/hydration.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { useImagePreview } from '#src/ui/useImagePreview.ts'
import styles from './ImageDrop.module.css'

const formatMegabytes = (bytes: number) =>
  formatNumber(bytes / 1024 / 1024, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

type ImageDropProps = {
  file: File | null
  /** true while the visitor drags a file over the page */
  over: boolean
  onChoose: (file: File) => void
  onRemove: () => void
  disabled: boolean
}

export function ImageDrop({ file, over, onChoose, onRemove, disabled }: ImageDropProps) {
  const input = useEarlyChange(change)
  const preview = useImagePreview(file)

  useEffect(() => {
    // Lets the visitor choose the same file again.
    if (!file && input.current) input.current.value = ''
  }, [file, input])

  function change({ target }: { target: HTMLInputElement }) {
    // Keeps the previous file if the visitor cancels the file dialog.
    const chosen = target.files?.[0]
    if (chosen) onChoose(chosen)
  }

  function remove() {
    onRemove()
    focusInView(input.current)
  }

  return (
    <div className={styles.place}>
      <div className={styles.drop} data-over={over || undefined} data-filled={preview ? true : undefined}>
        {preview ? (
          <img className={styles.preview} src={preview} alt={t('image.previewOf', { name: file?.name ?? '' })} />
        ) : (
          <div className={styles.invitation}>
            <ImageUp className="icon" />
            <p className={styles.scripted}>{rich('image.drop', { b: (text) => <strong>{text}</strong> })}</p>
            <p className="data">{t('image.formats')}</p>
          </div>
        )}
        <input
          ref={input}
          type="file"
          name="image"
          aria-label={file ? t('image.chooseAnother') : t('image.image')}
          accept={IMAGE_TYPES.join(',')}
          disabled={disabled}
          onChange={change}
        />
      </div>
      {file && (
        <div className={styles.file}>
          <span className={styles.name}>{file.name}</span>
          <span className="data">{t('image.sizeInMegabytes', { size: formatMegabytes(file.size) })}</span>
          <IconButton icon={X} label={t('image.remove')} onClick={remove} disabled={disabled} />
        </div>
      )}
    </div>
  )
}
