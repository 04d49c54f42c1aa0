/** The number in an address, or null for anything that no post can have: both end in the same 'not found'. */
export function parsePostId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Whether a text can be a board's id at all; keeps hostile addresses out of queries. */
export const isBoardId = (text: string) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 40

const SLUG_LENGTH = 32

/** The id of a board by its name: `Tech & Coding` is `tech-coding`; a name without latin letters is `board`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug || 'board'
}
