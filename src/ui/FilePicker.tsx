import { ImageUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { useFieldProps } from './Field.tsx'
import styles from './FilePicker.module.css'
import { IconButton } from './IconButton.tsx'

type FilePickerProps = {
  file: File | null
  /** a file hovers over the page */
  over: boolean
  onChange: (file: File | null) => void
  accept: string
  /** such as '5 MB max' */
  hint: string
}

/** Size in MB with two decimals, as people compare it with a limit. */
function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`
}

/** Takes one file by click, and shows which; the owner takes drops and pastes, and decides what is acceptable. */
export function FilePicker({ file, over, onChange, accept, hint }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const preview = usePreview(file)
  const fieldProps = useFieldProps()

  useEffect(() => {
    // an emptied picker takes the same file again
    if (!file && input.current) input.current.value = ''
  }, [file])

  function remove() {
    onChange(null)
    input.current?.focus()
  }

  return (
    <div className={styles.drop} data-over={over || undefined}>
      {preview ? <img className={styles.thumb} src={preview} alt="" /> : <ImageUp className="icon" />}
      {file ? (
        <span className={styles.name}>
          <strong>{file.name}</strong>
          <span className="data">{megabytes(file.size)}</span>
        </span>
      ) : (
        <>
          <span>
            <strong>Choose a file</strong>, drop or paste it here
          </span>
          <span className={cx('data', styles.hint)}>{hint}</span>
        </>
      )}
      <input
        {...fieldProps}
        ref={input}
        type="file"
        accept={accept}
        onChange={(event) => {
          // a cancelled choice keeps the file that was there
          const chosen = event.target.files?.[0]
          if (chosen) onChange(chosen)
        }}
      />
      {file && <IconButton icon={X} label="Remove file" className={styles.remove} onClick={remove} />}
    </div>
  )
}

/** Address of a picture that only this tab knows, given back when the file changes. */
function usePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return setUrl(null)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
