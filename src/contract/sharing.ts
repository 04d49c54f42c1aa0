import { z } from 'zod'
import { refusal } from './refusal.ts'

export const EXPIRY_HOURS = [1, 6, 12, 24, 48, 168] as const
export type ExpiryHours = (typeof EXPIRY_HOURS)[number]
export const DEFAULT_EXPIRY: ExpiryHours = 24

/** Returns the expiry that a form field names, or the default. */
export const parseExpiry = (text: string | undefined): ExpiryHours =>
  EXPIRY_HOURS.find((hours) => String(hours) === text) ?? DEFAULT_EXPIRY

export const expiryRequired = refusal('failure.expiration', { list: EXPIRY_HOURS.join(', ') })

export const IDEMPOTENCY_HEADER = { idempotencyKey: 'idempotency-key' }

const INVALID = refusal('failure.idempotencyKey')

/** The IETF draft of the header puts the key in quotes. */
export const idempotencyKey = z
  .string(INVALID)
  .regex(/^(?:"[\w-]{16,100}"|[\w-]{16,100})?$/, INVALID)
  .transform((key) => key.replaceAll('"', '') || undefined)
  .optional()
  .describe('random, new for each attempt: the same fields with the same key get the same answer again')
