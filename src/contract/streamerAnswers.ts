import { z } from 'zod'

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
