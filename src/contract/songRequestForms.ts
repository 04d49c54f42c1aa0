import { z } from 'zod'
import { songRequestLimits, songRequestMessages } from './songRequest.ts'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'

export const tracksInput = z.object({
  q: z
    .string(songRequestMessages.query)
    .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
    .max(songRequestLimits.query, songRequestMessages.query)
    .default(''),
})

export const songRequestForm = z.object({ trackId: z.int(songRequestMessages.track) })

export const finishInput = z.object({
  /** an invalid id becomes -1, so that the lookup finds nothing */
  id: z
    .union([z.number(), z.string()])
    .transform((value) => (/^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : -1)),
  outcome: z.enum(['played', 'skipped'], songRequestMessages.outcome).default('skipped'),
})
