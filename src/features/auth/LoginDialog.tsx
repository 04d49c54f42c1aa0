import { t } from '#src/i18n/t.ts'
import { Dialog, FormButtons } from '#src/ui/Dialog.tsx'
import { LoginFields, PasskeyButton } from './LoginForm.tsx'
import { useLogin } from './useLogin.ts'

type LoginDialogProps = { ended: boolean; onClose: () => void }

export function LoginDialog({ ended, onClose }: LoginDialogProps) {
  const state = useLogin(onClose)

  return (
    <Dialog
      onClose={onClose}
      title={t('ui.login')}
      lead={ended && t('auth.sessionEndedLead')}
      narrow
      dirty={!state.isEmpty}
      onSubmit={state.submit}
      foot={<FormButtons onCancel={onClose} label={t('ui.login')} busy={state.busy} />}
    >
      <LoginFields state={state} />
      <PasskeyButton state={state} />
      <p className="hint">{t('auth.noAccount')}</p>
    </Dialog>
  )
}
