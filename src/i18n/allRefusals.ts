import { createTranslator } from './createTranslator.ts'
import de from './de/refusals.ts'
import es from './es/refusals.ts'
import { addTranslator } from './refusals.ts'

// Imported on the server only, which answers in all languages.
addTranslator('de', createTranslator(de))
addTranslator('es', createTranslator(es))
