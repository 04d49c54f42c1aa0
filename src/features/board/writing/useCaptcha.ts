import type { Solution } from 'altcha-lib/types'
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

function startSolving(challenge: ProofOfWorkChallenge): Solving {
  const controller = new AbortController()
  // Without a proof, the server holds the post back for a minute.
  return { proof: solveProofOfWork(challenge, controller.signal).catch(() => null), controller }
}

/** After this time the form is sent without a proof, and the server holds the post back. */
const MAX_SOLVE_MS = 120_000

/**
 * Solves a challenge in a worker, so that typing stays smooth.
 * @returns the value of the form field, or null if the browser cannot solve the challenge, or not in time
 */
async function solveProofOfWork(challenge: ProofOfWorkChallenge, signal: AbortSignal): Promise<string | null> {
  const worker = new Worker(new URL('./proofOfWork.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<string | null>((resolve) => {
    const giveUp = () => resolve(null)
    signal.addEventListener('abort', giveUp)
    worker.addEventListener('error', giveUp)
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | { error: unknown } | null>) => {
      resolve(data && 'counter' in data ? btoa(JSON.stringify({ challenge, solution: data })) : null)
    })
    worker.postMessage({ type: 'work', challenge, counterStart: 0, counterStep: 1, timeout: MAX_SOLVE_MS })
  }).finally(() => worker.terminate())
}
