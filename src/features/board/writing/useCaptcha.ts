import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { CaptchaChallenge, ProofOfWorkChallenge } from '#src/contract/captcha.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

type Solving = { proof: Promise<string | null>; controller: AbortController }

/** @param served the captcha in the server's HTML */
export function useCaptcha(served: CaptchaChallenge | null = null) {
  const [challenge, setChallenge] = useState(served)
  const [answer, setAnswer] = useState('')
  const solving = useRef<Solving>(null)
  const stopSolving = () => {
    solving.current?.controller.abort()
    solving.current = null
  }
  const creation = useMutation({
    mutationFn: async () => (await trpc()).site.captcha.mutate(),
    onSuccess: (created) => {
      setChallenge(created)
      solve(created)
    },
    onError: (error) => console.warn('Cannot load the captcha', error),
  })
  function solve({ proofOfWork }: CaptchaChallenge) {
    stopSolving()
    if (proofOfWork) solving.current = startSolving(proofOfWork)
  }
  const solveServed = useEffectEvent(() => served && solve(served))
  const stopOnUnmount = useEffectEvent(stopSolving)
  useEffect(() => {
    solveServed()
    return () => stopOnUnmount()
  }, [])

  return {
    challenge,
    answer,
    setAnswer,
    loading: creation.isPending,
    /** Waits for the proof of work, which starts with the captcha. Returns null if none is needed or possible. */
    readProof: async () => solving.current?.proof ?? null,
    load() {
      // A second question would take the place of the one that the visitor answers.
      if (creation.isPending) return
      setAnswer('')
      setChallenge(null)
      creation.mutate()
    },
    clear() {
      setAnswer('')
      stopSolving()
      setChallenge(null)
    },
  }
}

export type Captcha = ReturnType<typeof useCaptcha>

function startSolving(challenge: ProofOfWorkChallenge): Solving {
  const controller = new AbortController()
  const proof = import('./solveProofOfWork.ts')
    .then(({ solveProofOfWork }) => solveProofOfWork(challenge, controller.signal))
    // Without a proof, the server holds the post back for a minute.
    .catch(() => null)
  return { proof, controller }
}
