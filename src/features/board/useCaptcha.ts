import { useState } from 'react'
import { useMutation } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

export function useCaptcha() {
  const [answer, setAnswer] = useState('')
  const creation = useMutation({
    mutationFn: async () => (await trpc()).site.captcha.mutate(),
    onError: (error) => console.warn('Cannot load the captcha', error),
  })

  return {
    challenge: creation.data,
    answer,
    setAnswer,
    loading: creation.isPending,
    load() {
      setAnswer('')
      creation.mutate()
    },
    clear() {
      setAnswer('')
      creation.reset()
    },
  }
}

export type Captcha = ReturnType<typeof useCaptcha>
