import type { DEFAULT_LANGUAGE, Language } from '#src/contract/languages.ts'
import { createTranslator, type Translator } from './createTranslator.ts'

export type TranslatedLanguage = Exclude<Language, typeof DEFAULT_LANGUAGE>

const tables = {
  de: () => import('./de/refusals.ts'),
  es: () => import('./es/refusals.ts'),
} satisfies Record<TranslatedLanguage, () => Promise<{ default: Record<string, string> }>>

/** Browsers load this file and the table of their language when they need it. */
export async function loadRefusals(language: TranslatedLanguage): Promise<Translator> {
  const { default: table } = await tables[language]()
  return createTranslator(table)
}
