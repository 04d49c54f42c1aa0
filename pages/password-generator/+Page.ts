export { PasswordScreen as default } from '#src/features/password/PasswordScreen.tsx'
