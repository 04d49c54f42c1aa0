import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { pathNumber } from './pathNumber.ts'
import { recordingLimits } from './recording.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { singleLine, UNSAFE_IN_LINE } from './text.ts'

const optionalLine = (label: TextKey) =>
  z
    .string(refusal('archive.recordingTrack'))
    .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
    .trim()
    .max(recordingLimits.text, refusal('failure.tooLong', { label, max: recordingLimits.text }))
    .refine((value) => !UNSAFE_IN_LINE.test(value), refusal('failure.oneLine', { label }))

const track = z
  .object({
    seconds: z
      .number(refusal('archive.recordingPosition'))
      .min(0, refusal('archive.recordingPosition'))
      .max(recordingLimits.seconds, refusal('archive.recordingPosition')),
    artist: optionalLine('field.artist'),
    title: optionalLine('field.title'),
  })
  .refine(({ artist, title }) => artist !== '' || title !== '', refusal('archive.recordingTrack'))

export const recordingParams = z.object({ id: pathNumber })

/** Fields that are missing stay as they are. */
export const recordingUpdate = z.object({
  id: pathNumber,
  title: singleLine(refusal('archive.recordingTitle'), 'field.title', recordingLimits.title).nullable().optional(),
  isHidden: z.boolean().optional(),
  tracks: z
    .array(track)
    .max(recordingLimits.tracks, refusal('archive.recordingTooManyTracks', { max: recordingLimits.tracks }))
    .optional(),
})
export type RecordingUpdate = z.infer<typeof recordingUpdate>
