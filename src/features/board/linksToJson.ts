import { isWebLink } from '#src/contract/links.ts'

export function linksToJson(typed: string): string {
  const words = typed.split(/[\s,]+/).filter(Boolean)
  return words.length > 0 && words.every(isWebLink) ? JSON.stringify(words) : typed
}
