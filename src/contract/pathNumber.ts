import { z } from 'zod'

/** Parses the number of an item in a URL. An impossible number becomes -1, so that the lookup answers its usual 404. */
export const pathNumber = z
  .union([z.number(), z.string()])
  .transform((value) => (/^(0|[1-9]\d{0,14})$/.test(String(value)) ? Number(value) : -1))
