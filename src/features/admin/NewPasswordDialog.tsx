import type { NewPassword } from '#src/contract/user.ts'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from './screens.module.css'

/** Shows a generated password, once. A click outside the dialog does not close it. */
export function NewPasswordDialog({ created, onClose }: { created: NewPassword | null; onClose: () => void }) {
  return (
    <Dialog
      open={created !== null}
      onClose={onClose}
      title="Generated password"
      lead={created?.email}
      narrow
      dirty
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {created && (
        <Field label="Password" hint="Shown only once. Ask the user to change it after logging in.">
          <div className={styles.secret}>
            <TextInput mono readOnly value={created.password} onFocus={({ currentTarget }) => currentTarget.select()} />
            <CopyTextButton text={created.password} label="Copy" />
          </div>
        </Field>
      )}
    </Dialog>
  )
}
