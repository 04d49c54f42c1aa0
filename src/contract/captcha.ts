import { z } from 'zod'
import { refusal } from './refusal.ts'

/** Limits the memory for a proof of work; solutions have about 900 characters. */
export const MAX_PROOF_LENGTH = 2000

export const proofOfWorkParametersSchema = z.object({
  algorithm: z.string(),
  nonce: z.string(),
  salt: z.string(),
  cost: z.number(),
  keyLength: z.number(),
  keyPrefix: z.string(),
  keySignature: z.string().optional().describe('lets the server verify a solution without computing it'),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
})

const proofOfWorkSchema = z
  .object({ parameters: proofOfWorkParametersSchema, signature: z.string().optional() })
  .meta({ id: 'ProofOfWork', description: 'An ALTCHA challenge, version 2' })
/** An ALTCHA challenge (version 2). The solver looks for a counter whose derived key starts with `keyPrefix`. */
export type ProofOfWorkChallenge = z.output<typeof proofOfWorkSchema>

export const captchaSchema = z.object({
  challengeId: z.string(),
  question: z.string().describe('such as `What is 7 + 5?`'),
  proofOfWork: proofOfWorkSchema.optional().describe('set while posts need a proof of work'),
})
/** `challengeId` contains the encrypted answer. */
export type CaptchaChallenge = z.output<typeof captchaSchema>

/** The fields of a form with a captcha. */
export const captchaFields = {
  captchaAnswer: z
    .union([z.string(), z.number()], refusal('board.captchaRequired'))
    // Keyboards for Japanese and Chinese write wide digits.
    .transform((value) => String(value).normalize('NFKC').trim())
    .refine((value) => value !== '', refusal('board.captchaRequired')),
  challengeId: z
    .string(refusal('board.captchaRequired'))
    .min(1, refusal('board.captchaRequired'))
    .max(512, refusal('board.captchaRefused')),
}
