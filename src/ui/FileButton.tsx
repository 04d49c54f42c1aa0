import { Upload } from 'lucide-react'
import { buttonClass } from './Button.tsx'

type FileButtonProps = { label: string; accept: string; onFile: (file: File) => void }

/** Looks like a button, and reads a file at once. A `FilePicker` is a field of a form. */
export function FileButton({ label, accept, onFile }: FileButtonProps) {
  return (
    <label className={buttonClass({ size: 'small' })}>
      <Upload className="icon icon-s" />
      {label}
      <input
        className="covering"
        type="file"
        accept={accept}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The visitor can choose the same file again.
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </label>
  )
}
