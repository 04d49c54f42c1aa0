import { useEffect } from 'react'
import { t } from '#src/i18n/t.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { QrCode } from '#src/ui/QrCode.tsx'
import styles from './Account.module.css'
import { type FactorChange, useFactorChange } from './useFactorChange.ts'

const titles: Record<FactorChange['kind'], () => string> = {
  'add-totp': () => t('account.addAppTitle'),
  'remove-totp': () => t('account.removeAppTitle'),
  'add-passkey': () => t('account.addPasskey'),
  'remove-passkey': () => t('account.removePasskeyTitle'),
  'new-codes': () => t('account.makeCodesTitle'),
}

const emptyInput = { currentPassword: '', passkeyName: '', code: '' }

export function FactorDialog({ change, onClose }: { change: FactorChange; onClose: () => void }) {
  const { step, submit, busy, refusal } = useFactorChange(change)
  const { fields, control } = useForm(emptyInput)
  const isFinished = step.name === 'codes' || step.name === 'done'

  useEffect(() => {
    if (step.name === 'done') onClose()
  }, [step.name, onClose])

  function onSubmit() {
    if (isFinished) onClose()
    else submit(fields)
  }

  return (
    <Dialog
      onClose={onClose}
      title={titles[change.kind]()}
      narrow
      dirty={step.name !== 'password' || fields.currentPassword !== ''}
      // Recovery codes are shown once: Escape and Back must not close them.
      busy={busy || step.name === 'codes'}
      onSubmit={onSubmit}
      foot={
        <>
          {!isFinished && <Button onClick={onClose}>{t('ui.cancel')}</Button>}
          <Button variant={change.kind.startsWith('remove') ? 'danger' : 'primary'} type="submit" busy={busy}>
            {isFinished
              ? t('account.codesSaved')
              : change.kind.startsWith('remove')
                ? t('ui.remove')
                : t('account.continue')}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal}</Alert>}
      {step.name === 'password' && (
        <>
          {change.kind === 'add-passkey' && (
            <Field label={t('account.passkeyName')} hint={t('account.passkeyNameHint')}>
              <TextInput {...control('passkeyName')} maxLength={64} />
            </Field>
          )}
          <Field label={t('account.currentPassword')}>
            <TextInput {...control('currentPassword')} type="password" autoComplete="current-password" />
          </Field>
        </>
      )}
      {step.name === 'scan' && (
        <>
          <p>{t('account.scanText')}</p>
          <QrCode text={step.uri} label={t('account.qrCode')} />
          <p>
            <code translate="no">{step.secret}</code>
          </p>
          <Field label={t('account.appCode')}>
            <TextInput {...control('code')} inputMode="numeric" autoComplete="one-time-code" autoFocus />
          </Field>
        </>
      )}
      {step.name === 'codes' && (
        <>
          <p>{t('account.codesText')}</p>
          <ul className={`mono ${styles.codes}`} translate="no">
            {step.codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <CopyTextButton text={step.codes.join('\n')} label={t('account.copyCodes')} />
        </>
      )}
    </Dialog>
  )
}
