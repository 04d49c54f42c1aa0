import { createHash, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { type ProofOfWorkChallenge, proofOfWorkParametersSchema } from '#src/contract/captchaAnswers.ts'

/**
 * PBKDF2 iterations per attempt, about 0.3 ms. Browsers run PBKDF2 as fast as native code, so a spammer's program
 * gains little. The server runs it once per challenge, and not at all to verify.
 */
const ITERATIONS = 1000

/**
 * Creates a challenge for one captcha. Spending the captcha also spends the proof of work, and the captcha's expiry and
 * network apply to it.
 * @param attempts how many attempts a browser needs at most; it needs at least half as many
 */
export function createProofOfWork(
  key: Uint8Array,
  challengeId: string,
  attempts: number,
): Promise<ProofOfWorkChallenge> {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: ITERATIONS,
    counter: randomInt(Math.ceil(attempts / 2), attempts + 1),
    data: { captcha: hashCaptcha(challengeId), attempts },
    deriveKey,
    ...secretsOf(key),
  })
}

/** @returns the number of attempts that the challenge asked for, or 0 if the solution is wrong */
export async function verifyProofOfWork(key: Uint8Array, challengeId: string, proofOfWork: string): Promise<number> {
  const payload = parsePayload(proofOfWork)
  if (payload?.challenge.parameters.data.captcha !== hashCaptcha(challengeId)) return 0
  const { verified } = await verifySolution({ ...payload, deriveKey, ...secretsOf(key) })
  return verified ? payload.challenge.parameters.data.attempts : 0
}

const hashCaptcha = (challengeId: string) => createHash('sha256').update(challengeId).digest('base64url')

/** `hmacKeySignatureSecret` lets the server verify a solution without computing it. */
function secretsOf(key: Uint8Array) {
  const secret = Buffer.from(key).toString('base64url')
  return { hmacSignatureSecret: `challenge ${secret}`, hmacKeySignatureSecret: `solution ${secret}` }
}

const payloadSchema = z.object({
  challenge: z.object({
    parameters: proofOfWorkParametersSchema.extend({
      keySignature: z.string(),
      data: z.object({ captcha: z.string(), attempts: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string().max(128) }),
})

function parsePayload(text: string): z.infer<typeof payloadSchema> | null {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(text, 'base64').toString()))
  } catch {
    return null
  }
}
