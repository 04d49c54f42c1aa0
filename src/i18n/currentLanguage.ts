import { DEFAULT_LANGUAGE, type Language, languages } from '#src/contract/languages.ts'

declare global {
  /** Set by the server: returns the language of the page that is being rendered. */
  var readLanguage: (() => Language) | undefined
}

/** Returns the language of the page that is being rendered or shown. */
export function currentLanguage(): Language {
  if (typeof document !== 'object') return globalThis.readLanguage?.() ?? DEFAULT_LANGUAGE
  // Translators in browsers set a language that the site may lack.
  const lang = document.documentElement.lang as Language
  return languages.includes(lang) ? lang : DEFAULT_LANGUAGE
}
