import { z } from 'zod'
import { refusal } from './refusal.ts'

export const IDEMPOTENCY_HEADER = { idempotencyKey: 'idempotency-key' }

const INVALID = refusal('failure.idempotencyKey')

/** The IETF draft of the header puts the key in quotes. */
export const idempotencyKey = z
  .string(INVALID)
  .regex(/^(?:"[\w-]{16,100}"|[\w-]{16,100})?$/, INVALID)
  .transform((key) => key.replaceAll('"', '') || undefined)
  .optional()
  .describe('random, new for each attempt: the same fields with the same key get the same answer again')
