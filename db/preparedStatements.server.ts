import type { Sql } from 'postgres'

type Unsafe = Sql['unsafe']

/** Limits memory: some queries have many texts, one for each number of parameters. */
const MAX_STATEMENTS = 250

/** Prepares a statement from its second use on. Drizzle only prepares queries on which we call `prepare()`. */
export function prepareRepeated(unsafe: Unsafe): Unsafe {
  return (text, parameters, options) =>
    unsafe(text, parameters, { ...options, prepare: Boolean(parameters?.length) && isRepeated(text) })
}

const seenOnce = new Set<string>()
const repeated = new Set<string>()

function isRepeated(text: string): boolean {
  if (repeated.has(text)) return true
  if (repeated.size >= MAX_STATEMENTS) return false
  if (seenOnce.delete(text)) repeated.add(text)
  else {
    if (seenOnce.size >= MAX_STATEMENTS) seenOnce.clear()
    seenOnce.add(text)
  }
  return repeated.has(text)
}
