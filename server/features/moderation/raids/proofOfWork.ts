import { createHash, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { type ProofOfWorkChallenge, proofOfWorkParametersSchema } from '#src/contract/captcha.ts'

/**
 * PBKDF2 iterations per attempt, about 0.3 ms. Browsers run PBKDF2 as fast as native code, so a spammer's program
 * gains little. The server runs it once per challenge, and not at all to verify.
 */
const ITERATIONS = 1000
/** About 1.5 s of a desktop browser, 6 s of a phone. A browser needs at least half as many. */
const MAX_ATTEMPTS = 6000

/** Creates a challenge for one captcha. Expires and is spent with the captcha, and works only from its network. */
export function createProofOfWork(key: Uint8Array, challengeId: string): Promise<ProofOfWorkChallenge> {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: ITERATIONS,
    counter: randomInt(MAX_ATTEMPTS / 2, MAX_ATTEMPTS + 1),
    data: { captcha: hashCaptcha(challengeId) },
    deriveKey,
    ...secretsOf(key),
  })
}

export async function verifyProofOfWork(key: Uint8Array, challengeId: string, proofOfWork: string): Promise<boolean> {
  const payload = parsePayload(proofOfWork)
  if (payload?.challenge.parameters.data.captcha !== hashCaptcha(challengeId)) return false
  return (await verifySolution({ ...payload, deriveKey, ...secretsOf(key) })).verified
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
      data: z.object({ captcha: z.string() }),
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
