import type { Language } from './languages.ts'

declare global {
  /** Set by the server: the language of the request that is being answered. */
  var readLanguage: (() => Language) | undefined
}

/** The documented calls, the log, and code outside a request. */
export const DEFAULT_LANGUAGE = 'en' satisfies Language

/** Returns the language of the page that is being rendered or shown. */
export function currentLanguage(): Language {
  if (typeof document === 'object') return (document.documentElement.lang as Language) || DEFAULT_LANGUAGE
  return globalThis.readLanguage?.() ?? DEFAULT_LANGUAGE
}
