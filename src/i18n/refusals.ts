import { useEffect } from 'react'
import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'
import { createStore } from '#src/lib/store.ts'
import { whenIdle } from '#src/lib/whenIdle.ts'
import type { Translator } from './createTranslator.ts'
import { currentLanguage } from './currentLanguage.ts'

// The calls and the contracts speak English. These functions translate their errors where a page shows them.

/** The server has all languages; a browser loads the one of the page with the first refusal or form. */
const translators = createStore<{ [language in Language]?: Translator }>({})

export const addTranslator = (language: Language, translator: Translator): void =>
  translators.set({ ...translators.get(), [language]: translator })

/** Returns an error in the language of the page. Unknown texts, and texts before the language is loaded, stay English. */
export const translateRefusal = (text: string): string => translators.get()[currentLanguage()]?.(text) ?? text

/**
 * Like translateRefusal, but loads the language and then renders again. The element with the text needs
 * `suppressHydrationWarning`, because the server has already translated it.
 */
export function useRefusal(text: string): string {
  translators.useValue()
  useEffect(() => (currentLanguage() === DEFAULT_LANGUAGE ? undefined : whenIdle(loadTranslator)), [])
  return translateRefusal(text)
}

let isLoading = false

function loadTranslator(): void {
  const language = currentLanguage()
  if (isLoading || language === DEFAULT_LANGUAGE) return
  isLoading = true
  void import('./loadRefusals.ts')
    .then(({ loadRefusals }) => loadRefusals(language))
    .then((translator) => addTranslator(language, translator))
    // Without a network the text stays English. The next refusal tries again.
    .catch(() => {
      isLoading = false
    })
}
