import { z } from 'zod'
import { type PasteLanguage, pasteLanguages } from './pasteLanguages.ts'

export const pasteFlagsSchema = z.object({
  burnAfterReading: z.boolean(),
  encrypted: z.boolean().describe('true if the browser encrypted the content'),
  passwordProtected: z
    .boolean()
    .describe('readers need a password in addition to the key in the URL; only with `encrypted`'),
})
export type PasteFlags = z.output<typeof pasteFlagsSchema>

export const lockedPasteSchema = pasteFlagsSchema.extend({ id: z.string(), content: z.null() }).meta({
  id: 'LockedPaste',
  description: 'A burn-after-reading paste before it is read',
})
/** A paste whose content the server sends only after the reader opens the paste. */
export type LockedPasteView = z.output<typeof lockedPasteSchema>

export const pasteSchema = pasteFlagsSchema
  .extend({
    id: z.string(),
    content: z.string(),
    encoding: z
      .enum(['utf-8', 'base64'])
      .describe('base64 if the bytes are not valid UTF-8 or the browser encrypted them'),
    language: z.enum(Object.keys(pasteLanguages) as PasteLanguage[]).nullable(),
    createdAt: z.date(),
    expiresAt: z.date(),
    views: z.int(),
  })
  .meta({ id: 'Paste' })
export type PasteView = z.output<typeof pasteSchema>

export const createdPasteSchema = z.object({
  url: z.string(),
  expiresAt: z.date(),
  deleteUrl: z.string().describe('The server sends this URL only once'),
})
export type CreatedPaste = z.output<typeof createdPasteSchema>
