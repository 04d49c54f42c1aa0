/** Languages of the pages. Each has a folder in `src/i18n`. */
export const languages = ['en', 'de', 'es'] as const
export type Language = (typeof languages)[number]

/** The language of the documented calls. */
export const DEFAULT_LANGUAGE = 'en' satisfies Language
