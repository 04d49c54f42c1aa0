export function parsePostId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Returns whether a text is a valid board id. Queries must only get valid ids. */
export const isBoardId = (text: string) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 40

/** Pages, streams and folders at the top of the site. No new board gets these ids, so that `/{board}/` is its URL too. */
const RESERVED_IDS = new Set(
  `about account admin api appeal archive assets debauched-blog dtpchan favourites go-live healthz image-share
  image-sharing internal live login metrics password-generator paste paste-service programs-we-love readyz
  report search share site site-page song-requests stream today-in-tech trpc unknown visualizer`.split(/\s+/),
)
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
