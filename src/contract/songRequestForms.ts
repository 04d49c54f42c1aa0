import { z } from 'zod'
import { pathNumber } from './pathNumber.ts'
import { refusal } from './refusal.ts'
import { songRequestLimits } from './songRequest.ts'
import { isStorable } from './storableText.ts'

export const tracksInput = z.object({
  q: z
    .string(refusal('radio.requestQuery', { max: songRequestLimits.query }))
    .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
    .max(songRequestLimits.query, refusal('radio.requestQuery', { max: songRequestLimits.query }))
    .default(''),
})

export const songRequestForm = z.object({ trackId: z.int(refusal('radio.requestTrack')) })

export const finishInput = z.object({
  id: pathNumber,
  outcome: z.enum(['played', 'skipped'], refusal('radio.requestOutcome')).default('skipped'),
})
