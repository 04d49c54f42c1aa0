import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'

declare global {
  /** Set by the server: returns the language of the page that is being rendered. */
  var readLanguage: (() => Language) | undefined
}

/** Returns the language of the page that is being rendered or shown. */
export function currentLanguage(): Language {
  if (typeof document === 'object') return (document.documentElement.lang as Language) || DEFAULT_LANGUAGE
  return globalThis.readLanguage?.() ?? DEFAULT_LANGUAGE
}
