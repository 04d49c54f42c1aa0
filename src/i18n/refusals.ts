import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'
import { createStore } from '#src/lib/store.ts'
import type { Translator } from './createTranslator.ts'
import { currentLanguage } from './currentLanguage.ts'

// The calls and the contracts speak English. These functions translate their errors where a page shows them.

/** The server has all languages. A browser loads the one of the page when it can get errors. */
const translators = createStore<{ [language in Language]?: Translator }>({})

export const addTranslator = (language: Language, translator: Translator): void =>
  translators.set({ ...translators.get(), [language]: translator })

/** Loads the language of the page. Forms, calls and error pages need it; a first visit does not. */
export function loadRefusals(): void {
  const language = currentLanguage()
  if (language === DEFAULT_LANGUAGE) return
  // Without a network, errors stay English. The next form tries again.
  import('./refusalTables.ts')
    .then(({ loadTranslator }) => loadTranslator(language))
    .then((translator) => translators.get()[language] ?? addTranslator(language, translator))
    .catch(() => {})
}

/** Returns an error in the language of the page. Unknown texts, and texts before the language is loaded, stay English. */
export const translateRefusal = (text: string): string => translators.get()[currentLanguage()]?.(text) ?? text

/**
 * Like translateRefusal, but renders again when the language is loaded. The element with the text needs
 * `suppressHydrationWarning`, because the server has already translated it.
 */
export function useRefusal(text: string): string {
  translators.useValue()
  return translateRefusal(text)
}
