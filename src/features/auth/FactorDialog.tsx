import { useEffect, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { QrCode } from '#src/ui/QrCode.tsx'
import styles from './Account.module.css'
import { verifySession } from './session.ts'

export type FactorChange =
  | { kind: 'add-totp' | 'remove-totp' | 'add-passkey' | 'new-codes' }
  | { kind: 'remove-passkey'; id: string }

const titles: Record<FactorChange['kind'], () => string> = {
  'add-totp': () => t('account.addAppTitle'),
  'remove-totp': () => t('account.removeAppTitle'),
  'add-passkey': () => t('account.addPasskey'),
  'remove-passkey': () => t('account.removePasskeyTitle'),
  'new-codes': () => t('account.makeCodesTitle'),
}

const emptyInput = { currentPassword: '', passkeyName: '', code: '' }

type FactorDialogProps = { change: FactorChange; onChanged: () => Promise<unknown>; onClose: () => void }

export function FactorDialog({ change, onChanged, onClose }: FactorDialogProps) {
  const { step, submit, busy, refusal } = useFactorChange(change, onChanged)
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

type Step =
  | { name: 'password' }
  | { name: 'scan'; uri: string; secret: string; setup: string }
  | { name: 'codes'; codes: string[] }
  | { name: 'done' }

type Input = { currentPassword: string; passkeyName: string; code: string }

/** Runs a change of the second factor step by step: password, then the app's code or the device, then new codes. */
function useFactorChange(change: FactorChange, onChanged: () => Promise<unknown>) {
  const [step, setStep] = useState<Step>({ name: 'password' })
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Input) => nextStep(change, step, input),
    onSuccess: async (next) => {
      setStep(next)
      if (next.name !== 'scan') await Promise.all([onChanged(), verifySession()])
    },
  })
  return { step, submit: mutate, busy: isPending, refusal: error && errorText(error, t('auth.factorFailed')) }
}

async function nextStep(change: FactorChange, step: Step, input: Input): Promise<Step> {
  const { auth } = await trpc()
  if (step.name === 'scan') return showCodes(await auth.confirmTotp.mutate({ setup: step.setup, code: input.code }))
  const { currentPassword } = input
  switch (change.kind) {
    case 'add-totp':
      return { name: 'scan', ...(await auth.startTotp.mutate({ currentPassword })) }
    case 'add-passkey': {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const { options, setup } = await auth.startPasskey.mutate({ currentPassword })
      const response = await startRegistration({ optionsJSON: options })
      return showCodes(await auth.confirmPasskey.mutate({ setup, name: input.passkeyName, response: { ...response } }))
    }
    case 'new-codes':
      return showCodes(await auth.replaceRecoveryCodes.mutate({ currentPassword }))
    case 'remove-totp':
      await auth.removeTotp.mutate({ currentPassword })
      return { name: 'done' }
    case 'remove-passkey':
      await auth.removePasskey.mutate({ currentPassword, id: change.id })
      return { name: 'done' }
  }
}

const showCodes = (codes: string[] | null): Step => (codes ? { name: 'codes', codes } : { name: 'done' })
