import { z } from 'zod'
import { pathNumber } from './pathNumber.ts'
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
  id: pathNumber,
  outcome: z.enum(['played', 'skipped'], songRequestMessages.outcome).default('skipped'),
})
