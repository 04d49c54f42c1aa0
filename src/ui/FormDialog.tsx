import type { ReactNode } from 'react'
import type { FormRefusal } from '#src/contract/forms.ts'
import { t } from '#src/i18n/t.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'
import { RefusalText } from './RefusalText.tsx'

type FormDialogProps = Omit<DialogProps, 'foot'> & {
  onSubmit: NonNullable<DialogProps['onSubmit']>
  /** by default, the button closes the dialog */
  onCancel?: () => void
  /** label of the button that sends the form */
  label: string
  variant?: 'danger' | 'primary'
  disabled?: boolean
  /** why the form was refused */
  refusal?: ReactNode
  /** takes the place of the buttons */
  foot?: ReactNode
}

/** A dialog with a form. `busy` while the form is sent. */
export function FormDialog({
  onCancel,
  label,
  variant = 'primary',
  disabled,
  refusal,
  foot,
  children,
  ...dialog
}: FormDialogProps) {
  const buttons = (
    <>
      <Button onClick={onCancel ?? dialog.onClose}>{t('ui.cancel')}</Button>
      <Button variant={variant} type="submit" busy={dialog.busy} disabled={disabled}>
        {label}
      </Button>
    </>
  )
  return (
    <Dialog {...dialog} foot={foot || buttons}>
      {refusal && <Alert>{refusal}</Alert>}
      {children}
    </Dialog>
  )
}

type EditRefusalProps = {
  refusal: FormRefusal
  /** set if another user has changed the item: returns a text with a button that loads what is stored now */
  conflict: ((button: (text: ReactNode) => ReactNode) => ReactNode) | false
  onLoad: () => void
}

/** Shows why a change was refused. */
export const EditRefusal = ({ refusal, conflict, onLoad }: EditRefusalProps) => (
  <>
    <p>
      <RefusalText refusal={refusal} />
    </p>
    {conflict && (
      <p>
        {conflict((text) => (
          <Button variant="text" onClick={onLoad}>
            {text}
          </Button>
        ))}
      </p>
    )}
  </>
)
