import { PasswordScreen } from '#src/features/password/PasswordScreen.tsx'

export default function Page() {
  return <PasswordScreen />
}
