import { useRef, useState } from 'react'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { trpc } from '#src/lib/trpc.ts'

/** A challenge and the answer to it; a new challenge clears the answer. */
export function useCaptcha() {
  const [challenge, setChallenge] = useState<CaptchaChallenge | null>(null)
  const [answer, setAnswer] = useState('')
  const [loading, setLoading] = useState(false)
  const asked = useRef(0)

  function clear() {
    asked.current++
    setChallenge(null)
    setAnswer('')
    setLoading(false)
  }

  async function load() {
    clear()
    const mine = asked.current
    setLoading(true)
    try {
      const made = await (await trpc()).site.captcha.mutate()
      if (mine === asked.current) setChallenge(made)
    } catch (error) {
      console.warn('The captcha could not be loaded', error)
    } finally {
      if (mine === asked.current) setLoading(false)
    }
  }

  return { challenge, answer, setAnswer, loading, load, clear }
}

export type Captcha = ReturnType<typeof useCaptcha>
