import { isWebLink } from '#src/contract/links.ts'

/** Converts a list of URLs to a JSON array; returns any other text unchanged. */
export function linksText(typed: string): string {
  const words = typed.split(/[\s,]+/).filter(Boolean)
  return words.length > 0 && words.every(isWebLink) ? JSON.stringify(words) : typed
}
