import type { DEFAULT_LANGUAGE, Language } from '#src/contract/languages.ts'
import { createTranslator, type RefusalTable, type Translator } from './createTranslator.ts'

type TranslatedLanguage = Exclude<Language, typeof DEFAULT_LANGUAGE>

const tables = {
  de: () => import('./de/refusals.ts'),
  es: () => import('./es/refusals.ts'),
} satisfies Record<TranslatedLanguage, () => Promise<{ default: RefusalTable }>>

export async function loadTranslator(language: TranslatedLanguage): Promise<Translator> {
  const { default: table } = await tables[language]()
  return createTranslator(table)
}
