import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ProofOfWorkChallenge } from '#src/contract/captcha.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

type Solving = { proof: Promise<string | null>; controller: AbortController }

export function useCaptcha() {
  const [answer, setAnswer] = useState('')
  const solving = useRef<Solving>(null)
  const stopSolving = () => {
    solving.current?.controller.abort()
    solving.current = null
  }
  const creation = useMutation({
    mutationFn: async () => (await trpc()).site.captcha.mutate(),
    onSuccess: ({ proofOfWork }) => {
      stopSolving()
      if (proofOfWork) solving.current = startSolving(proofOfWork)
    },
    onError: (error) => console.warn('Cannot load the captcha', error),
  })
  const stopOnUnmount = useEffectEvent(stopSolving)
  useEffect(() => () => stopOnUnmount(), [])

  return {
    challenge: creation.data,
    answer,
    setAnswer,
    loading: creation.isPending,
    /** Waits for the proof of work, which starts with the captcha. Returns null if none is needed or possible. */
    readProof: async () => solving.current?.proof ?? null,
    load() {
      setAnswer('')
      creation.mutate()
    },
    clear() {
      setAnswer('')
      stopSolving()
      creation.reset()
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
