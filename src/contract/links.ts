import { z } from 'zod'
import { imageFileSchema } from './image.ts'
import { refusal } from './refusal.ts'

export const MAX_LINKS = 10
const MAX_LINKS_TEXT = 4000

const UNSAFE_CHARACTERS = /[\s\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export function isWebLink(value: string): boolean {
  return (
    /^https?:\/\/[^/]/i.test(value) && !UNSAFE_CHARACTERS.test(value) && value.isWellFormed() && URL.canParse(value)
  )
}

/** Reports whether a URL has a user name or password, which readers can mistake for the host. */
export function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

const linkList = z
  .array(
    z
      .string(refusal('board.linksInvalid'))
      .trim()
      .refine(isWebLink, { message: refusal('board.linksInvalid'), abort: true })
      .refine((link) => !hasCredentials(link), refusal('board.linksCredentials')),
    refusal('board.linksInvalid'),
  )
  .max(MAX_LINKS, refusal('board.linksTooMany', { max: MAX_LINKS }))

export const linksField = z
  .string(refusal('board.linksInvalid'))
  .max(MAX_LINKS_TEXT, refusal('failure.tooLong', { label: 'field.links', max: MAX_LINKS_TEXT }))
  .optional()
  .transform((value, ctx) => {
    if (!value?.trim()) return []
    try {
      return JSON.parse(value) as unknown
    } catch {
      ctx.addIssue({ code: 'custom', message: refusal('board.linksInvalid') })
      return z.NEVER
    }
  })
  .pipe(linkList)

/** Returns the JSON array of links that were typed as mere addresses; other texts unchanged. */
export function linksToJson(typed: string): string {
  const words = typed.split(/[\s,]+/).filter(Boolean)
  return words.length > 0 && words.every(isWebLink) ? JSON.stringify(words) : typed
}

const path = z.string().describe('path on this site')
const bytes = z.int()
const expiresAt = z.date()

export const linkCardSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('paste'), path, bytes: bytes.describe('size with encryption'), expiresAt }),
    z.object({ kind: z.literal('image'), path, bytes, expiresAt, preview: imageFileSchema }),
    z.object({
      kind: z.literal('program'),
      path,
      name: z.string(),
      description: z.string(),
      category: z.string(),
    }),
    z.object({
      kind: z.literal('broadcast'),
      path,
      title: z.string().nullable(),
      streamer: z.string(),
      startedAt: z.date(),
    }),
  ])
  .meta({ id: 'LinkCard' })
/** An item of this site that a post links to. */
export type LinkCard = z.output<typeof linkCardSchema>
