import type { DEFAULT_LANGUAGE, Language } from '#src/contract/languages.ts'
import { createTranslator, type RefusalTable } from './createTranslator.ts'
import de from './de/refusals.ts'
import es from './es/refusals.ts'
import { addTranslator } from './refusals.ts'

// Imported on the server only, which answers in all languages.
const tables = { de, es } satisfies Record<Exclude<Language, typeof DEFAULT_LANGUAGE>, RefusalTable>

for (const [language, table] of Object.entries(tables)) addTranslator(language as Language, createTranslator(table))
