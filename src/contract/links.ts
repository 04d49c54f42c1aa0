import { z } from 'zod'

export const MAX_LINKS = 10
const MAX_LINKS_TEXT = 4000

export const linkMessages = {
  notAnArray: 'Links must be a JSON array of http or https addresses',
  credentials: 'Links must not contain a user name or password',
  tooMany: `At most ${MAX_LINKS} links are allowed`,
  tooLong: `Links must be at most ${MAX_LINKS_TEXT} characters`,
} as const

/** Blanks, control characters and marks of text direction, with which the shown address could lie. */
const UNFIT = /[\s\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Whether a text is an absolute http or https address with a host and without unfit characters. */
export function isWebLink(value: string): boolean {
  return /^https?:\/\/[^/]/i.test(value) && !UNFIT.test(value) && value.isWellFormed() && URL.canParse(value)
}

/** Whether an address names a user, who could be taken for the host. */
export function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

const linkList = z
  .array(
    z
      .string(linkMessages.notAnArray)
      .trim()
      .refine(isWebLink, { message: linkMessages.notAnArray, abort: true })
      .refine((link) => !hasCredentials(link), linkMessages.credentials),
    linkMessages.notAnArray,
  )
  .max(MAX_LINKS, linkMessages.tooMany)

/** Links of a post as the form sends them: the text of a JSON array, or nothing. */
export const linksField = z
  .string(linkMessages.notAnArray)
  .max(MAX_LINKS_TEXT, linkMessages.tooLong)
  .optional()
  .transform((value, ctx) => {
    if (!value?.trim()) return []
    try {
      return JSON.parse(value) as unknown
    } catch {
      ctx.addIssue({ code: 'custom', message: linkMessages.notAnArray })
      return z.NEVER
    }
  })
  .pipe(linkList)
