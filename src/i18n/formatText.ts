import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format'
import { createElement, Fragment, type ReactNode } from 'react'
import { currentLanguage } from './currentLanguage.ts'

/** Keeps formatters: creating one takes longer than formatting a text. */
function cached<T>(create: (language: string, options?: object) => T) {
  const formatters = new Map<string, T>()
  return (language?: unknown, options?: object): T => {
    const key = `${language} ${JSON.stringify(options)}`
    const formatter = formatters.get(key) ?? create(String(language), options)
    formatters.set(key, formatter)
    return formatter
  }
}

/** Formats short numbers itself: the first number format of a page takes a phone 60 ms, and most pages need none. */
function createNumberFormat(language: string, options?: Intl.NumberFormatOptions) {
  let whole: Intl.NumberFormat | undefined
  return {
    format(value: number): string {
      if (!options && Number.isInteger(value) && value >= 0 && value < 1000) return String(value)
      whole ??= new Intl.NumberFormat(language, options)
      return whole.format(value)
    },
  }
}

const FORMATTERS = {
  getNumberFormat: cached((language, options) => createNumberFormat(language, options) as Intl.NumberFormat),
  getDateTimeFormat: cached((language, options) => new Intl.DateTimeFormat(language, options)),
  getPluralRules: cached((language, options) => new Intl.PluralRules(language, options)),
}

/** Returns a number with the separators of the page's language. */
export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  FORMATTERS.getNumberFormat(currentLanguage(), options).format(value)

/** Returns a day or a time in the page's language. English is British: days are dd/mm/yyyy, and days have 24 hours. */
export function formatDate(date: Date, options: Intl.DateTimeFormatOptions): string {
  const language = currentLanguage()
  return FORMATTERS.getDateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(date)
}

export function formatText(message: CompiledMessage, values?: FormatValues): string {
  return format(message, currentLanguage(), values, { formatters: FORMATTERS }) as string
}

/** Formats a text whose tags, such as `<link>rules</link>`, become elements. */
export function formatRich(message: CompiledMessage, values: FormatValues<ReactNode>): ReactNode {
  const parts = format<ReactNode>(message, currentLanguage(), values, { formatters: FORMATTERS })
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts
}
