import { ImageUp, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatNumber } from '#src/i18n/formatText.ts'
import { rich, t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { cx } from './cx.ts'
import { useFieldProps } from './Field.tsx'
import styles from './FilePicker.module.css'
import { IconButton } from './IconButton.tsx'

const SIZE_FORMAT = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

const strong = (text: ReactNode) => <strong>{text}</strong>

/** Shows the name and the size of a chosen file. */
export const FileName = ({ name, size }: { name: string; size: string }) => (
  <span className={styles.name}>
    <strong className="ellipsis">{name}</strong>
    <span className="data">{size}</span>
  </span>
)

type FilePickerProps = {
  /** the chosen file; null if there are several, which the parent lists */
  file: File | null
  /** whether the visitor drags a file over the page */
  over: boolean
  onChange: (files: File[]) => void
  multiple?: boolean
  /** name of the field, for forms that work without script */
  name?: string
  accept: string
  hint: string
  /** for a picker outside of a field */
  label?: string
  disabled?: boolean
  /** alternative text of the preview. By default it has none, because the name stands beside it. */
  alt?: string
  className?: string
}

/** Lets the visitor click to choose a file, or several. The parent handles dropped and pasted files, and validates all files. */
export function FilePicker({
  file,
  over,
  onChange,
  multiple,
  hint,
  label,
  alt = '',
  className,
  ...rest
}: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const preview = useImagePreview(file)
  const fieldProps = useFieldProps()

  const takeEarly = useEffectEvent(() => {
    const early = [...(input.current?.files ?? [])]
    if (early.length > 0) onChange(early)
  })
  // The visitor may have chosen files before hydration.
  useEffect(() => takeEarly(), [])
  useEffect(() => {
    // Resets the input, so that the visitor can choose the same file again.
    if (!file && input.current) input.current.value = ''
  }, [file])

  function remove() {
    onChange([])
    focusInView(input.current)
  }

  return (
    <div className={cx(styles.drop, className)} data-over={over || undefined}>
      {preview ? <img className={styles.thumb} src={preview} alt={alt} /> : <ImageUp className="icon accent" />}
      {file ? (
        <FileName name={file.name} size={`${formatNumber(file.size / 1024 / 1024, SIZE_FORMAT)} MB`} />
      ) : (
        <span className={`cluster ${styles.hint}`}>
          <span>{multiple ? rich('ui.chooseImages', { strong }) : rich('ui.chooseFile', { strong })}</span>{' '}
          <span className="data">{hint}</span>
        </span>
      )}
      <input
        {...fieldProps}
        {...rest}
        ref={input}
        className="covering"
        type="file"
        aria-label={label}
        multiple={multiple}
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])]
          // Cancelling the file dialog keeps the current file.
          if (chosen.length === 0) return
          onChange(chosen)
          if (multiple) target.value = ''
        }}
      />
      {file && (
        <IconButton
          icon={X}
          label={t('ui.removeFile')}
          className={styles.remove}
          disabled={rest.disabled}
          onClick={remove}
        />
      )}
    </div>
  )
}

/** Returns an object URL of an image file, and revokes it when the file changes. */
export function useImagePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return setUrl(null)
    const objectUrl = URL.createObjectURL(file)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])
  return url
}
