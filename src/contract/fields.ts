import { z } from 'zod'
import { refusal } from './refusal.ts'

/** Parses the number of an item in a URL. An impossible number becomes -1, so that the lookup answers its usual 404. */
export const pathNumber = z
  .union([z.number(), z.string()])
  .transform((value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : -1))

/** The version that the visitor edited. The server rejects the edit if there is a newer version. */
export const editedVersion = (message: string) =>
  z
    .union([z.date(), z.iso.datetime({ offset: true, error: message })], message)
    .transform((value) => new Date(value))
    .optional()

/** @param field its name */
export const flag = (field: string) => z.boolean(refusal('failure.flag', { field }))

export const nextBeforeSchema = z.int().nullable().describe('`before` of the next page, or null on the last page')

/** Accepts numbers and their text, because URLs and forms contain only text. */
export const idField = (message: string) =>
  z
    .union([z.number(), z.string().regex(/^[1-9]\d{0,14}$/, message)], message)
    .transform(Number)
    .pipe(z.int(message).min(1, message).max(999_999_999_999_999, message))
