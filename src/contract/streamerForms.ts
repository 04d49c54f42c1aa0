import { z } from 'zod'
import { removeLongMarkRuns } from './markRuns.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { streamerNameLimits } from './streamer.ts'
import { singleLine } from './text.ts'
import { userRef } from './userForms.ts'

/** Removes invisible characters and styled letters, so that names that look the same are the same text. */
const normalizeName = (name: string) =>
  removeLongMarkRuns(name)
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/ +/g, ' ')

const name = z
  .string(refusal('streamer.name', { min: streamerNameLimits.min, max: streamerNameLimits.max }))
  .overwrite(normalizeName)
  .pipe(
    singleLine(
      refusal('streamer.name', { min: streamerNameLimits.min, max: streamerNameLimits.max }),
      'field.name',
      streamerNameLimits.max,
      streamerNameLimits.min,
    ),
  )

export const streamerName = z.object({ name })
export const newStreamer = userRef.extend({ name })
/** Accepts any text from a URL: an impossible email gets the same 404 as an unknown one. */
export const streamerRef = z.object({
  email: z
    .string(refusal('admin.userEmail'))
    .transform((email) => (isStorable(email) ? email.trim().toLowerCase() : '')),
})
export const streamerChange = streamerRef
  .extend({ name: name.optional(), isDisabled: z.boolean(refusal('streamer.disabledFlag')).optional() })
  .refine((change) => change.name !== undefined || change.isDisabled !== undefined, refusal('streamer.change'))

export type NewStreamer = z.infer<typeof newStreamer>
export type StreamerChange = z.infer<typeof streamerChange>
