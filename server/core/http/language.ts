import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { DEFAULT_LANGUAGE, type Language, languages } from '#src/contract/languages.ts'
import type { Site } from '#src/contract/site.ts'

const pageLanguage = new AsyncLocalStorage<Language>()
let siteLanguage: Language = DEFAULT_LANGUAGE
// The pages are a bundle of their own, so they cannot share a module with the server.
globalThis.readLanguage = () => pageLanguage.getStore() ?? siteLanguage

/** Sets the language of texts that are the same for all visitors, such as the manifest and the feeds. */
export function setSiteLanguage({ language }: Pick<Site, 'language'>): void {
  siteLanguage = language === 'auto' ? DEFAULT_LANGUAGE : language
}

/** Renders in a language. `t` (`src/i18n/t.ts`) returns texts in it. */
export const inLanguage = <Result>(language: Language, render: () => Result): Result =>
  pageLanguage.run(language, render)

/** Programs send many headers. Browsers of the same language send the same one. */
const MAX_KNOWN_HEADERS = 500
/** A header of one network packet can name hundreds of languages, each of which costs time. */
const MAX_HEADER_LENGTH = 200

const known = new LRUCache<string, Language>({ max: MAX_KNOWN_HEADERS, memoMethod: negotiate })

/** Returns the language of a page: the site's, or the one that the visitor prefers. */
export function chooseLanguage(site: Pick<Site, 'language'>, headers: IncomingHttpHeaders): Language {
  if (site.language !== 'auto') return site.language
  const header = headers['accept-language']
  return !header || header.length > MAX_HEADER_LENGTH ? DEFAULT_LANGUAGE : known.memo(header)
}

function negotiate(header: string): Language {
  const [preferred] = new Negotiator({ headers: { 'accept-language': header } }).languages([...languages])
  return (preferred as Language | undefined) ?? DEFAULT_LANGUAGE
}

/** The header in which a page of this site names its language, for errors of calls and the HTML of posts. */
export const LANGUAGE_HEADER = 'x-language'

export const asksForLanguage = (headers: IncomingHttpHeaders): boolean => headers[LANGUAGE_HEADER] !== undefined

/** Returns the language of a call's errors. Clients that do not ask for another get English. */
export const answerLanguage = (headers: IncomingHttpHeaders): Language =>
  languages.find((language) => language === headers[LANGUAGE_HEADER]) ?? DEFAULT_LANGUAGE

/** Headers of a page. Caches must keep a page per language if visitors choose it. */
export const languageHeaders = (site: Pick<Site, 'language'>, language: Language): Record<string, string> => ({
  'content-language': language,
  vary: site.language === 'auto' ? 'accept-encoding, accept-language' : 'accept-encoding',
})
