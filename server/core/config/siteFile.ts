import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { ZodError, type z } from 'zod'
import { systemErrorText } from '#db/errors.server.ts'
import { defaultSite, type Site, siteSchema } from '#src/contract/site.ts'

/**
 * Reads the site file, JSON with optional comments.
 * @throws Error with one line that names the file and the wrong field
 */
export async function readSiteFile(path: string | undefined): Promise<Site> {
  if (!path) return defaultSite
  try {
    const bytes = await readFile(path)
    if (!isUtf8(bytes)) throw new Error('the text is not in UTF-8')
    return siteSchema.parse(parseJson(bytes.toString()), { error: explain })
  } catch (error) {
    const reason = error instanceof ZodError ? describe(error.issues[0]) : systemErrorText(error)
    throw new Error(`Setting SITE_FILE is wrong: ${path}: ${reason}`, { cause: error })
  }
}

function parseJson(source: string): unknown {
  // Editors on Windows begin files with a byte order mark, which the parser refuses.
  const text = source.replace(/^\ufeff/, '')
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (!error) return value
  const line = text.slice(0, error.offset).split('\n').length
  const reason = printParseErrorCode(error.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
  throw new Error(`line ${line}: ${reason.toLowerCase()}`)
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys') return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
  return `${[...issue.path, ...issue.keys.slice(0, 1)].join('.')}: unknown field. docs/site/schema.json lists the fields`
}

const TYPES: Record<string, string> = { string: 'text', number: 'a number', int: 'a whole number', array: 'a list' }
const UNITS: Record<string, string> = { string: ' characters', array: ' entries' }
const ALTERNATIVES = new Intl.ListFormat('en', { type: 'disjunction' })

/** Says what a value must be, where the schema does not. */
function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? 'an object'}`
  if (issue.code === 'invalid_value')
    return `must be ${ALTERNATIVES.format(issue.values.map((value) => `"${String(value)}"`))}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`
  if (issue.code !== 'too_small') return undefined
  return issue.origin in UNITS ? 'must not be empty' : `must be at least ${issue.minimum}`
}
