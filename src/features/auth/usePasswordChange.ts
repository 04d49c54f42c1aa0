import { type FormEvent, useState } from 'react'
import { authMessages, passwordChange } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'
import { changePassword } from './session.ts'

const empty = { currentPassword: '', newPassword: '', again: '' }
export type PasswordField = keyof typeof empty
type Refusal = { text: string; field?: PasswordField }

export function usePasswordChange() {
  const [texts, setTexts] = useState(empty)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
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
    const refused = check(texts)
    setRefusal(refused)
    if (refused) {
      const element = event.currentTarget.elements.namedItem(refused.field)
      if (element instanceof HTMLElement) element.focus()
      return
    }
    change.mutate({ currentPassword: texts.currentPassword, newPassword: texts.newPassword })
  }

  return { texts, setText, refusal, busy: change.isPending, submit }
}

function check(texts: typeof empty): Required<Refusal> | null {
  const [issue] = passwordChange.safeParse(texts).error?.issues ?? []
  if (issue) return { text: issue.message, field: issue.path[0] as PasswordField }
  return texts.newPassword === texts.again ? null : { text: authMessages.passwordsDiffer, field: 'again' }
}
