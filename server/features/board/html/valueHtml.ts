import { escapeHtml } from '#server/core/http/escapeXml.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { formatText } from '#src/i18n/formatText.ts'
import { compiledText } from '#src/i18n/messages.ts'
import type { TextKey, TextValue } from '#src/i18n/types.ts'
import { isoSeconds, utcDate, utcDateTime } from '#src/lib/formatTime.ts'

/** Renders a time as UTC. Scripts change it to the visitor's time (`usePreparedPosts.ts`); others show the zone. */
export const timeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)}>${utcDateTime(date)}<i> UTC</i></time>`

/** Renders a date. Scripts change it to a relative time such as '6 min ago'. */
export const relativeTimeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)} data-relative>${utcDate(date)}</time>`

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
