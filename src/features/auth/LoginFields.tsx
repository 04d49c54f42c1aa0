import { Alert } from '#src/ui/Alert.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import type { LoginState } from './useLogin.ts'

export function LoginFields({ state: { control, refusal } }: { state: LoginState }) {
  return (
    <>
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label="Email">
        <TextInput {...control('email')} type="email" autoComplete="username" />
      </Field>
      <Field label="Password">
        <TextInput {...control('password')} type="password" autoComplete="current-password" />
      </Field>
    </>
  )
}
