import type { TextKey, TextValue, TextValues } from '#src/i18n/types.ts'

/**
 * Why something is refused: the key of a text, and its values. A string, because errors of schemas keep nothing else.
 * `refusalText` (`src/i18n/refusalText.ts`) returns the text in a language.
 */
export type Refusal = string & { readonly isRefusal: true }

/** The value of `{label}` or `{text}` is itself the key of a text, or a refusal. */
export const refusal = <K extends TextKey>(key: K, ...[values]: TextValues<K>): Refusal =>
  (values ? `${key} ${JSON.stringify(values)}` : key) as Refusal

/** A text that is the same in all languages, such as a moderator's own. In quotes, so that it is not taken for a key. */
export const ownText = (text: string): Refusal => JSON.stringify(text) as Refusal

/** Returns the key of a refusal's text and its values, or null for another text. */
export function parseRefusal(text: string): { key: TextKey; values: Record<string, TextValue> } | null {
  const [, key, values = '{}'] = /^([a-z]\w*\.[a-z]\w*)(?: (\{.*\}))?$/is.exec(text) ?? []
  return key === undefined ? null : { key: key as TextKey, values: JSON.parse(values) }
}
