import type { Language } from '#src/contract/languages.ts'

export { type Language, languages } from '#src/contract/languages.ts'

import * as de from './de/index.ts'
import * as en from './en/index.ts'
import * as es from './es/index.ts'
import type { Catalogue } from './types.ts'

/** To add a language, add a folder like `de`, a line here, and its code to `src/contract/languages.ts`. */
export const catalogues = { en, de, es } satisfies Record<Language, Catalogue>
