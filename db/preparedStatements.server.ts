import type { Sql } from 'postgres'

type Unsafe = Sql['unsafe']

/** Texts of statements that are prepared: of some there are as many as there are numbers of parameters. */
const MOST = 250

/**
 * A statement that comes again is prepared: the database has it read and planned already, and is asked once in place of
 * twice. Drizzle would ask for that only where a query is named and kept by hand.
 */
export function prepareRepeated(unsafe: Unsafe): Unsafe {
  return (text, parameters, options) =>
    unsafe(text, parameters, { ...options, prepare: Boolean(parameters?.length) && comesAgain(text) })
}

const once = new Set<string>()
const again = new Set<string>()

function comesAgain(text: string): boolean {
  if (again.has(text)) return true
  if (again.size >= MOST) return false
  if (once.delete(text)) again.add(text)
  else {
    if (once.size >= MOST) once.clear()
    once.add(text)
  }
  return again.has(text)
}
