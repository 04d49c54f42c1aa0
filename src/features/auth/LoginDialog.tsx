import { SESSION_ENDED } from '#src/contract/user.ts'
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
      title="Login"
      lead={ended && `${SESSION_ENDED}. What you have typed is still there.`}
      narrow
      dirty={!state.isEmpty}
      onSubmit={state.submit}
      foot={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button variant="primary" type="submit" busy={state.busy}>
            Login
          </Button>
        </>
      }
    >
      <LoginFields state={state} />
      <PasskeyButton state={state} />
      <p className="hint">No account yet? Contact an admin for credentials.</p>
    </Dialog>
  )
}
