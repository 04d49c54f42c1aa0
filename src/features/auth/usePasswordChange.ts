import { type FormEvent, useState } from 'react'
import { authMessages, passwordChange } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { focusControl, type Refusal, refuseInvalid } from '#src/lib/refusal.ts'
import { errorText } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'
import { changePassword } from './session.ts'

const empty = { currentPassword: '', newPassword: '', again: '' }
export type PasswordField = keyof typeof empty

export function usePasswordChange() {
  const [texts, setTexts] = useState(empty)
  const [refusal, setRefusal] = useState<Refusal<PasswordField> | null>(null)
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      setTexts(empty)
      toast('Password changed')
    },
    onError: (error) => setRefusal({ text: errorText(error, authMessages.passwordFailed) }),
  })

  const setText = (field: PasswordField, text: string) => setTexts((before) => ({ ...before, [field]: text }))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const refused = refuseInvalid(form, passwordChange, texts)
    setRefusal(refused)
    if (refused) return
    const { again, ...passwords } = texts
    if (passwords.newPassword === again) return change.mutate(passwords)
    setRefusal({ text: authMessages.passwordsDiffer, field: 'again' })
    focusControl(form, 'again')
  }

  return { texts, setText, refusal, busy: change.isPending, submit }
}
