import { z } from 'zod'
import { userRef } from './auth.ts'
import { refusal } from './refusal.ts'
import { showLimits } from './show.ts'
import { isStorable, removeLongMarkRuns, singleLine } from './text.ts'

/** In characters. */
export const streamerNameLimits = { min: 2, max: showLimits.streamerName } as const

/** User name in the settings of programs. The password identifies the streamer. */
export const SOURCE_USER = 'source'

export const streamerSchema = z
  .object({
    email: z.string(),
    name: z.string().describe('the name that listeners see'),
    isDisabled: z.boolean().describe('true if the password does not work, and sources of the streamer are refused'),
    createdAt: z.date(),
  })
  .meta({ id: 'StreamerAccount' })
/** A user who may stream to the built-in station. */
export type StreamerView = z.output<typeof streamerSchema>

export const ownStreamerSchema = streamerSchema
  .omit({ email: true, createdAt: true })
  .meta({ id: 'OwnStreamerAccount' })
export type OwnStreamer = z.output<typeof ownStreamerSchema>

export const streamPasswordSchema = z.object({
  name: z.string(),
  password: z.string().describe('shown only once; the site stores a hash'),
})
export type StreamPassword = z.output<typeof streamPasswordSchema>

export const sourceConnectionSchema = z
  .object({
    host: z.string(),
    port: z.int(),
    isSecure: z.boolean().describe('true if the port expects TLS'),
    mount: z.string(),
    testMount: z.string().describe('sources of this mount are measured and never go on air'),
    user: z.string(),
  })
  .meta({ id: 'SourceConnection' })
/** Server and mounts for the programs of streamers. */
export type SourceConnection = z.output<typeof sourceConnectionSchema>

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
