import { z } from 'zod'
import { pathNumber } from './pathNumber.ts'
import { recordingLimits, recordingMessages } from './recording.ts'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'
import { singleLine, UNSAFE_IN_LINE } from './text.ts'

const optionalLine = (label: string) =>
  z
    .string(recordingMessages.track)
    .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
    .trim()
    .max(recordingLimits.text, `${label} must be at most ${recordingLimits.text} characters`)
    .refine(
      (value) => !UNSAFE_IN_LINE.test(value),
      `${label} must be one line without control or text direction characters`,
    )

const track = z
  .object({
    seconds: z
      .number(recordingMessages.position)
      .min(0, recordingMessages.position)
      .max(recordingLimits.seconds, recordingMessages.position),
    artist: optionalLine('Artist'),
    title: optionalLine('Title'),
  })
  .refine(({ artist, title }) => artist !== '' || title !== '', recordingMessages.track)

export const recordingParams = z.object({ id: pathNumber })

/** Fields that are missing stay as they are. */
export const recordingUpdate = z.object({
  id: pathNumber,
  title: singleLine(recordingMessages.title, 'Title', recordingLimits.title).nullable().optional(),
  isHidden: z.boolean().optional(),
  tracks: z.array(track).max(recordingLimits.tracks, recordingMessages.tooManyTracks).optional(),
})
export type RecordingUpdate = z.infer<typeof recordingUpdate>
