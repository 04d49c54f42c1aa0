import { sitePages } from '#server/core/cache/pageKeys.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'

/** Returns whether a text is a valid board id. Queries must only get valid ids. */
export const isBoardId = (text: string) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 40

/** Folders, files and calls at the top of the site, and pages with parameters. */
const OTHER_NAMES =
  'admin api assets healthz image-share internal live metrics paste readyz share site site-page stream trpc unknown'

/** No new board gets these ids, so that `/{board}/` is its URL too. Sites had a board `radio` before the page. */
const RESERVED_IDS = new Set([
  ...OTHER_NAMES.split(' '),
  ...Object.keys(sitePages).flatMap((path) => (path === SCHEDULE_PATH ? [] : path.split('/').slice(1, 2))),
])
export const isReservedId = (id: string): boolean => RESERVED_IDS.has(id)

const MAX_SLUG_LENGTH = 32

/**
 * Creates a board id from a name: `tech-coding` from `Tech & Coding`. Returns `board` if no letter or digit is left.
 */
export const slugify = (name: string): string => toSlug(name, MAX_SLUG_LENGTH) || 'board'

/** Joins the words of a text with hyphens. Returns an empty text if no letter or digit is left. */
export function toSlug(text: string, maxLength: number): string {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')
}
