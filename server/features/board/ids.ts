export function parsePostId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Returns whether a text is a valid board id. Queries must only get valid ids. */
export const isBoardId = (text: string) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 40

const MAX_SLUG_LENGTH = 32

/**
 * Creates a board id from a name: `tech-coding` from `Tech & Coding`. Returns `board` if no letter or digit is left.
 */
export function slugify(name: string): string {
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug || 'board'
}
