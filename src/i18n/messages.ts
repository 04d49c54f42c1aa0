import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'
import { catalogues, type Language } from './languages.ts'

const compiled = new Map<string, CompiledMessage>()

/** @throws Error if there is no such text, or if it is not a valid ICU message */
export function compiledText(key: string, language: Language): CompiledMessage {
  const id = `${language} ${key}`
  const message = compiled.get(id) ?? compile(textOf(key, language))
  compiled.set(id, message)
  return message
}

function textOf(key: string, language: Language): string {
  const [namespace = '', name = ''] = key.split('.')
  const text = (catalogues[language] as Record<string, Record<string, string>>)[namespace]?.[name]
  if (text === undefined) throw new Error(`Unknown text ${key}`)
  return text
}
