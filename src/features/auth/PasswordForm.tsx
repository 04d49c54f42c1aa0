import type { PasswordChange } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { getUser, setUser } from './session.ts'

const empty = { currentPassword: '', newPassword: '', again: '' }

/** Contains the account's `email`, because password managers need it in the form. */
export function PasswordForm({ email }: { email: string }) {
  const { fields, refusal, refuse, submitting, control, clear } = useForm(empty)
  const { mutate, isPending } = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      clear()
      toast(t('account.passwordChanged'))
    },
    onError: (error) => refuse(errorText(error, t('account.passwordFailed')), refusedField(error)),
  })

  const submit = submitting(() => {
    const { again, ...passwords } = fields
    if (passwords.newPassword === again) mutate(passwords)
    else refuse(t('account.passwordsDiffer'), 'again')
  })

  return (
    <form className="panel form" aria-labelledby="password" onSubmit={submit} noValidate>
      <h2 className="h3" id="password">
        {t('auth.password')}
      </h2>
      {refusal && <Alert>{refusal.text}</Alert>}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('account.currentPassword')}>
        <TextInput {...control('currentPassword')} type="password" autoComplete="current-password" />
      </Field>
      <Field label={t('account.newPassword')} hint={t('account.newPasswordHint')}>
        <TextInput {...control('newPassword')} type="password" autoComplete="new-password" />
      </Field>
      <Field label={t('account.newPasswordAgain')}>
        <TextInput {...control('again')} type="password" autoComplete="new-password" />
      </Field>
      <div className="cluster">
        <Button variant="primary" type="submit" busy={isPending}>
          {t('account.changePassword')}
        </Button>
      </div>
    </form>
  )
}

async function changePassword(passwords: PasswordChange): Promise<void> {
  await (await trpc()).auth.changePassword.mutate(passwords)
  const user = getUser()
  if (user) setUser({ ...user, generatedPassword: false })
}
