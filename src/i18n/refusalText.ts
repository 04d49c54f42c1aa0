import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'
import { parseRefusal } from '#src/contract/refusal.ts'
import { formatText } from './formatText.ts'
import { compiledText } from './messages.ts'
import type { TextValue } from './types.ts'

/** Values that are refusals or keys of texts themselves. */
const NESTED = ['label', 'text']

/** Returns the text of a refusal. Other texts stay as they are. */
export function refusalText(refusal: string, language: Language = DEFAULT_LANGUAGE): string {
  if (refusal.startsWith('"')) return JSON.parse(refusal)
  const parsed = parseRefusal(refusal)
  if (!parsed) return refusal
  const translate = ([name, value]: [string, TextValue]) =>
    [name, NESTED.includes(name) ? refusalText(String(value), language) : String(value)] as const
  const values = Object.fromEntries(Object.entries(parsed.values).map(translate))
  return formatText(compiledText(parsed.key, language), values)
}
