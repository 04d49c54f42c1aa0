import { Alert } from '#src/ui/Alert.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import type { LoginState } from './useLogin.ts'

export function LoginFields({ state }: { state: LoginState }) {
  return (
    <>
      {state.refusal && <Alert>{state.refusal.text}</Alert>}
      <Field label="Email">
        <TextInput
          type="email"
          name="email"
          autoComplete="username"
          required
          aria-invalid={state.refusal?.field === 'email' || undefined}
          value={state.email}
          onChange={(event) => state.setEmail(event.target.value)}
        />
      </Field>
      <Field label="Password">
        <TextInput
          type="password"
          name="password"
          autoComplete="current-password"
          required
          aria-invalid={state.refusal?.field === 'password' || undefined}
          value={state.password}
          onChange={(event) => state.setPassword(event.target.value)}
        />
      </Field>
    </>
  )
}
