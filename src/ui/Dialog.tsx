import { X } from 'lucide-react'
import {
  type DragEvent,
  type FormEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { t } from '#src/i18n/t.ts'
import { cx } from './cx.ts'
import styles from './Dialog.module.css'
import { IconButton } from './IconButton.tsx'
import { blockDoubleTap, useCloseOnBack } from './overlayHistory.ts'

export type DialogProps = {
  /** without it, the dialog is open as long as it is mounted */
  open?: boolean
  onClose: () => void
  title: string
  lead?: ReactNode
  /** keeps the dialog open after a click outside it */
  dirty?: boolean
  /** only the dialog's buttons close it */
  busy?: boolean
  narrow?: boolean
  /** wraps the body and the footer in a form that skips the browser's validation */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  foot: ReactNode
  children: ReactNode
}

/** Stops the browser from opening a dropped file, which would leave the page. */
function preventFileDrop(event: DragEvent) {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}

/** Renders a modal dialog. Renders its content only while the dialog is open. */
export function Dialog(props: DialogProps) {
  const { open = true, onClose, title, lead, dirty, busy, narrow, onSubmit, foot, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useCloseOnBack(open, onClose, busy)
  const closedBy = busy ? 'none' : dirty ? 'closerequest' : 'any'
  const outsideClick = useOutsideClick(() => closedBy === 'any' && onClose())

  // Uses a layout effect: the `close` event of an earlier closing can fire before a later effect, and would close the
  // dialog that has just been opened again.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (open && dialog && !dialog.open) {
      dialog.showModal()
      // Without this, the browser focuses the close button.
      dialog.querySelector<HTMLElement>('input, textarea, select')?.focus()
    }
    if (!open && dialog?.open) dialog.close()
  }, [open])

  // Returns the focus to the opener when the component is removed while it is open. A later effect would find the
  // element outside the page.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])

  /** Closes at once. The browser's `close` event comes later, and until then a press of the opener would be lost. */
  function closeNow(event: SyntheticEvent<HTMLDialogElement>) {
    // The event of a file input bubbles.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    // Browsers without `closedby` do not know that the dialog is busy.
    if (!busy) onClose()
  }

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
      closedby={closedBy}
      {...outsideClick}
      onCancel={closeNow}
      onClickCapture={blockDoubleTap}
      // Ignores the event of an earlier closing if the dialog is open again.
      onClose={({ currentTarget }) => open && !currentTarget.open && onClose()}
      onDragOver={preventFileDrop}
      onDrop={preventFileDrop}
    >
      {open && (
        <>
          <header className={cx('spread', styles.head)}>
            <div>
              <h2 className="h3" id={titleId}>
                {title}
              </h2>
              {lead && <p className={cx('hint', styles.lead)}>{lead}</p>}
            </div>
            <IconButton icon={X} label={t('ui.close')} className={styles.close} onClick={onClose} />
          </header>
          {onSubmit ? (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                onSubmit(event)
              }}
            >
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

/** Returns the handlers of a dialog that call `onClick` for a click outside it, in browsers without `closedby`. */
function useOutsideClick(onClick: () => void) {
  // Selecting text can end outside the dialog, so the press counts, too.
  const wasPressed = useRef(false)
  return {
    onPointerDown(event: PointerEvent<HTMLDialogElement>) {
      wasPressed.current = !('closedBy' in event.currentTarget) && isOutside(event)
    },
    onClick(event: MouseEvent<HTMLDialogElement>) {
      if (wasPressed.current && isOutside(event)) onClick()
    },
  }
}

/** The event's target is the dialog for its padding and for everything around it. */
function isOutside({ currentTarget, target, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}
