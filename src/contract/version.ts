import { z } from 'zod'

/** The version that the visitor edited. The server rejects the edit if there is a newer version. */
export const editedVersion = (message: string) =>
  z
    .union([z.date(), z.iso.datetime({ offset: true, error: message })], message)
    .transform((value) => new Date(value))
    .optional()
