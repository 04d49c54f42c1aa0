import { type FormEvent, useEffect, useState } from 'react'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { QrCode } from '#src/ui/QrCode.tsx'
import styles from './Account.module.css'
import { type FactorChange, useFactorChange } from './useFactorChange.ts'

const TITLES: Record<FactorChange['kind'], string> = {
  'add-totp': 'Add an authenticator app',
  'remove-totp': 'Remove the authenticator app',
  'add-passkey': 'Add a passkey',
  'remove-passkey': 'Remove the passkey',
  'new-codes': 'Make new recovery codes',
}

const emptyInput = { currentPassword: '', passkeyName: '', code: '' }

export function FactorDialog({ change, onClose }: { change: FactorChange; onClose: () => void }) {
  const { step, submit, busy, refusal } = useFactorChange(change)
  const [input, setInput] = useState(emptyInput)
  const control = (name: keyof typeof emptyInput) => ({
    name,
    required: true,
    value: input[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setInput((before) => ({ ...before, [name]: target.value })),
  })
  const isFinished = step.name === 'codes' || step.name === 'done'

  useEffect(() => {
    if (step.name === 'done') onClose()
  }, [step.name, onClose])

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isFinished) onClose()
    else submit(input)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={TITLES[change.kind]}
      narrow
      // Recovery codes are shown once: a click outside must not close them.
      dirty={step.name !== 'password'}
      busy={busy}
      onSubmit={onSubmit}
      foot={
        <>
          {!isFinished && <Button onClick={onClose}>Cancel</Button>}
          <Button variant={change.kind.startsWith('remove') ? 'danger' : 'primary'} type="submit" busy={busy}>
            {isFinished ? 'I have saved the codes' : change.kind.startsWith('remove') ? 'Remove' : 'Continue'}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal}</Alert>}
      {step.name === 'password' && (
        <>
          {change.kind === 'add-passkey' && (
            <Field
              label="Name of the passkey"
              hint="For example, your device. Your browser will ask for the passkey next."
            >
              <TextInput {...control('passkeyName')} maxLength={64} />
            </Field>
          )}
          <Field label="Current password">
            <TextInput {...control('currentPassword')} type="password" autoComplete="current-password" />
          </Field>
        </>
      )}
      {step.name === 'scan' && (
        <>
          <p>Scan the code with your authenticator app, or type the key into it.</p>
          <QrCode text={step.uri} label="QR code for the authenticator app" />
          <p className={styles.secret}>
            <code>{step.secret}</code>
          </p>
          <Field label="Code from the app">
            <TextInput {...control('code')} inputMode="numeric" autoComplete="one-time-code" autoFocus />
          </Field>
        </>
      )}
      {step.name === 'codes' && (
        <>
          <p>
            Each recovery code replaces a lost app or device once. They are shown only now: keep them in a safe place.
          </p>
          <ul className={styles.codes}>
            {step.codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <CopyTextButton text={step.codes.join('\n')} label="Copy codes" />
        </>
      )}
    </Dialog>
  )
}
