import { isWebLink } from '#src/contract/links.ts'

/** Addresses typed one after the other become the text of a JSON array; any other text stays as it is. */
export function linksText(typed: string): string {
  const words = typed.split(/[\s,]+/).filter(Boolean)
  return words.length > 0 && words.every(isWebLink) ? JSON.stringify(words) : typed
}
