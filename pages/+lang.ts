import { currentLanguage } from '#src/i18n/currentLanguage.ts'

/** In the browser, this is the language of the first page: `currentLanguage` reads the attribute that this sets. */
export default () => currentLanguage()
