import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
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
      foot={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" busy={state.busy}>
            {t('ui.login')}
          </Button>
        </>
      }
    >
      <LoginFields state={state} />
      <PasskeyButton state={state} />
      <p className="hint">{t('auth.noAccount')}</p>
    </Dialog>
  )
}
