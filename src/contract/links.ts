import { z } from 'zod'

export const MAX_LINKS = 10
const MAX_LINKS_TEXT = 4000

export const linkMessages = {
  invalid: 'Links must be http or https addresses',
  credentials: 'Links must not contain a user name or password',
  tooMany: `At most ${MAX_LINKS} links are allowed`,
  tooLong: `Links must be at most ${MAX_LINKS_TEXT} characters`,
} as const

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
      .string(linkMessages.invalid)
      .trim()
      .refine(isWebLink, { message: linkMessages.invalid, abort: true })
      .refine((link) => !hasCredentials(link), linkMessages.credentials),
    linkMessages.invalid,
  )
  .max(MAX_LINKS, linkMessages.tooMany)

export const linksField = z
  .string(linkMessages.invalid)
  .max(MAX_LINKS_TEXT, linkMessages.tooLong)
  .optional()
  .transform((value, ctx) => {
    if (!value?.trim()) return []
    try {
      return JSON.parse(value) as unknown
    } catch {
      ctx.addIssue({ code: 'custom', message: linkMessages.invalid })
      return z.NEVER
    }
  })
  .pipe(linkList)

/** Returns the JSON array of links that were typed as mere addresses; other texts unchanged. */
export function linksToJson(typed: string): string {
  const words = typed.split(/[\s,]+/).filter(Boolean)
  return words.length > 0 && words.every(isWebLink) ? JSON.stringify(words) : typed
}
