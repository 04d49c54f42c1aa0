import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { LoginFields, PasskeyButton } from './LoginFields.tsx'
import { useLogin } from './useLogin.ts'

type LoginDialogProps = { open: boolean; ended: boolean; onClose: () => void }

export function LoginDialog({ open, ended, onClose }: LoginDialogProps) {
  const state = useLogin(onClose)

  function cancel() {
    state.clear()
    onClose()
  }

  return (
    <Dialog
      open={open}
      onClose={cancel}
      title={t('ui.login')}
      lead={ended && t('auth.sessionEndedLead')}
      narrow
      dirty={!state.isEmpty}
      onSubmit={state.submit}
      foot={
        <>
          <Button onClick={cancel}>{t('ui.cancel')}</Button>
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
