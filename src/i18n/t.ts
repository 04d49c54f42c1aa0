import type { FormatValues } from 'icu-minify/format'
import type { ReactNode } from 'react'
import { currentLanguage } from './currentLanguage.ts'
import { formatRich, formatText } from './formatText.ts'
import { compiledText } from './messages.ts'
import type { TextKey, TextValue, TextValues } from './types.ts'

/**
 * Returns a text in the language of the page. In scripts for browsers, the build replaces the key by the text, so the
 * key must be a string literal, and only the texts that a page uses are loaded.
 */
export const t = <K extends TextKey>(key: K, ...[values]: TextValues<K>): string =>
  formatText(compiledText(key, currentLanguage()), values as FormatValues | undefined)

/**
 * Returns a text with elements: `rich('board.readRules', { link: (text) => <a href={url}>{text}</a> })` for
 * 'Read the <link>rules</link>.'.
 */
export const rich = <K extends TextKey>(
  key: K,
  values: Record<string, TextValue | ((text: ReactNode) => ReactNode)>,
): ReactNode => formatRich(compiledText(key, currentLanguage()), values)
