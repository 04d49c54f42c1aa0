import de from './de/index.ts'
import en from './en/index.ts'
import es from './es/index.ts'

/** To add a language, add a folder like `de` and a line here. */
export const catalogues = { en, de, es }

export type Language = keyof typeof catalogues

export const languages = Object.keys(catalogues) as Language[]
