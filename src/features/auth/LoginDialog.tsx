import { t } from '#src/i18n/t.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { LoginFields, PasskeyButton } from './LoginForm.tsx'
import { useLogin } from './useLogin.ts'

type LoginDialogProps = { ended: boolean; onClose: () => void }

export function LoginDialog({ ended, onClose }: LoginDialogProps) {
  const state = useLogin(onClose)

  return (
    <FormDialog
      onClose={onClose}
      title={t('ui.login')}
      lead={ended && t('auth.sessionEndedLead')}
      narrow
      dirty={!state.isEmpty}
      onSubmit={state.submit}
      busy={state.busy}
      label={t('ui.login')}
    >
      <LoginFields state={state} />
      <PasskeyButton state={state} />
      <p className="hint">{t('auth.noAccount')}</p>
    </FormDialog>
  )
}
