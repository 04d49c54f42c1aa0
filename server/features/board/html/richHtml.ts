import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { formatText } from '#src/i18n/formatText.ts'
import { compiledText } from '#src/i18n/messages.ts'
import type { TextKey, TextValue } from '#src/i18n/types.ts'
import { escapeHtml } from './escapeHtml.ts'

type Tag = (text: string) => string

/**
 * Returns a text whose tags become HTML, like `rich` for elements.
 * @param values functions get the escaped text between the tags, and return HTML
 */
export function richHtml(key: TextKey, values: Record<string, TextValue | Tag>): string {
  const wrapped = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (chunks: string[]) => ({ html: value(escapeHtml(chunks.join(''))) }) : value,
  ])
  const message = compiledText(key, currentLanguage())
  // The type says text, because most texts have no tags.
  const parts = [formatText(message, Object.fromEntries(wrapped))].flat() as (string | { html: string })[]
  return parts.map((part) => (typeof part === 'string' ? escapeHtml(part) : part.html)).join('')
}
