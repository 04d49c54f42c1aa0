import { z } from 'zod'
import { refusal } from './refusal.ts'

/** Parses the number of an item in a URL. An impossible number becomes -1, so that the lookup answers its usual 404. */
export const pathNumber = z
  .union([z.number(), z.string()])
  .transform((value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : -1))

/** Accepts dates and their ISO text. */
export const instant = (message: string) =>
  z.union([z.date(), z.iso.datetime({ offset: true, error: message })], message).transform((value) => new Date(value))

/** The version that the visitor edited. The server rejects the edit if there is a newer version. */
export const editedVersion = (message: string) => instant(message).optional()

export const wholeNumber = (message: string, min: number, max: number) =>
  z.int(message).min(min, message).max(max, message)

/** @param field its name */
export const flag = (field: string) => z.boolean(refusal('failure.flag', { field }))

export const nextBeforeSchema = z.int().nullable().describe('`before` of the next page, or null on the last page')

/** Accepts numbers and their text, because URLs and forms contain only text. */
export const idField = (message: string) =>
  z
    .union([z.number(), z.string().regex(/^[1-9]\d{0,14}$/, message)], message)
    .transform(Number)
    .pipe(wholeNumber(message, 1, 999_999_999_999_999))

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
