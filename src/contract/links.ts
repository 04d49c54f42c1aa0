import { z } from 'zod'

export const MAX_LINKS = 10
const MAX_LINKS_TEXT = 4000

export const linkMessages = {
  notAnArray: 'Links must be a JSON array of http or https addresses',
  tooMany: `At most ${MAX_LINKS} links are allowed`,
  tooLong: `Links must be at most ${MAX_LINKS_TEXT} characters`,
} as const

/** Whether a text is an absolute http or https address with a host, without blanks and control characters. */
export function isWebLink(value: string): boolean {
  return /^https?:\/\/[^/]/i.test(value) && !/[\s\p{Cc}]/u.test(value) && value.isWellFormed() && URL.canParse(value)
}

const linkList = z
  .array(z.string(linkMessages.notAnArray).trim().refine(isWebLink, linkMessages.notAnArray), linkMessages.notAnArray)
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
