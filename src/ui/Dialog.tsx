import { X } from 'lucide-react'
import { type DragEvent, type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from './cx.ts'
import styles from './Dialog.module.css'
import { IconButton } from './IconButton.tsx'
import { useBackCloses } from './overlayHistory.ts'

type DialogProps = {
  open: boolean
  /** asked for by Escape, the close key and the backdrop: the owner then sets `open` to false */
  onClose: () => void
  title: string
  lead?: ReactNode
  /** something has been typed: a click beside the dialog no longer closes it */
  dirty?: boolean
  /** something is being sent: only the dialog's own keys close it */
  busy?: boolean
  narrow?: boolean
  /** makes body and foot one form; the browser's own bubbles are off, our texts are shown instead */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  /** keys of the sticky foot */
  foot: ReactNode
  children: ReactNode
}

/** A file that is dropped beside a field for it would be opened in place of the page. */
function refuseFiles(event: DragEvent) {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}

/** A modal dialog. The native element traps the focus and gives it back; the content exists only while it is open. */
export function Dialog({ open, onClose, title, lead, dirty, busy, narrow, onSubmit, foot, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useBackCloses(open, onClose, busy)

  useEffect(() => {
    const dialog = ref.current
    if (open && dialog && !dialog.open) {
      dialog.showModal()
      // left alone, the browser would begin at the close key
      dialog.querySelector<HTMLElement>('input, textarea, select')?.focus()
    }
    if (!open && dialog?.open) dialog.close()
  }, [open])

  const content = (
    <>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{foot}</footer>
    </>
  )
  return (
    <dialog
      ref={ref}
      className={cx(styles.dialog, narrow && styles.narrow)}
      aria-labelledby={titleId}
      closedby={busy ? 'none' : dirty ? 'closerequest' : 'any'}
      onClose={() => open && onClose()}
      onDragOver={refuseFiles}
      onDrop={refuseFiles}
    >
      {open && (
        <>
          <header className={styles.head}>
            <div>
              <h2 id={titleId}>{title}</h2>
              {lead && <p className={cx('data', styles.lead)}>{lead}</p>}
            </div>
            <IconButton icon={X} label="Close" className={styles.close} onClick={onClose} />
          </header>
          {onSubmit ? (
            <form onSubmit={onSubmit} noValidate>
              {content}
            </form>
          ) : (
            content
          )}
        </>
      )}
    </dialog>
  )
}
