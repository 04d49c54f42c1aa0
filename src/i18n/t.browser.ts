import type { CompiledMessage, FormatValues } from 'icu-minify/format'
import { formatRich, formatText } from './formatText.ts'

/** Takes the place of `t.ts` in scripts for browsers, where the build has replaced each key by its compiled text. */
export const t = (message: CompiledMessage, values?: FormatValues): string => formatText(message, values)
export const rich = formatRich
