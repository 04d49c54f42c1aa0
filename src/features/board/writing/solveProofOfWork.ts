import type { Solution } from 'altcha-lib/types'
import type { ProofOfWorkChallenge } from '#src/contract/captcha.ts'

/** After this time the form is sent without a proof, and the server holds the post back. */
const MAX_SOLVE_MS = 120_000

/**
 * Solves a challenge in a worker, so that typing stays smooth.
 * @returns the value of the form field, or null if the browser cannot solve the challenge, or not in time
 */
export function solveProofOfWork(challenge: ProofOfWorkChallenge, signal: AbortSignal): Promise<string | null> {
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
