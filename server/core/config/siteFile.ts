import { readFile } from 'node:fs/promises'
import { closest } from 'fastest-levenshtein'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { ZodError, type z } from 'zod'
import { defaultSite, type Site, siteSchema } from '#src/contract/site.ts'

/**
 * Reads the site file, JSON with optional comments.
 * @throws Error with one line that names the file and the wrong field
 */
export async function readSiteFile(path: string | undefined): Promise<Site> {
  if (!path) return defaultSite
  try {
    return siteSchema.parse(parseJson(await readFile(path, 'utf8')))
  } catch (error) {
    const reason = error instanceof ZodError ? describe(error.issues[0]) : (error as Error).message
    throw new Error(`Setting SITE_FILE is wrong: ${path} ${reason}`, { cause: error })
  }
}

function parseJson(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (!error) return value
  const line = text.slice(0, error.offset).split('\n').length
  throw new Error(`line ${line}: ${printParseErrorCode(error.error)}`)
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys') return `${issue?.path.join('.')}: ${issue?.message}`
  const [key = ''] = issue.keys
  const place = [...issue.path, key].join('.')
  return `${place}: unknown field. Did you mean ${closest(key, fieldsAt(issue.path))}?`
}

/** Returns the valid fields of an object in the site file. */
function fieldsAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = siteSchema
  for (const step of path) schema = typeof step === 'number' ? elementOf(schema) : shapeOf(schema)[String(step)]
  return Object.keys(shapeOf(schema))
}

type Wrapped = { shape?: Record<string, unknown>; unwrap?: () => unknown; element?: unknown }

function shapeOf(schema: unknown): Record<string, unknown> {
  const { shape, unwrap } = schema as Wrapped
  return shape ?? (unwrap ? shapeOf((schema as Required<Wrapped>).unwrap()) : {})
}

function elementOf(schema: unknown): unknown {
  const { element } = schema as Wrapped
  return element ?? elementOf((schema as Required<Wrapped>).unwrap())
}
