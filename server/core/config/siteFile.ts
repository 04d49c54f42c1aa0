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
    return siteSchema.parse(parseJson(await readFile(path, 'utf8')))
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
  throw new Error(`line ${line}: ${printParseErrorCode(error.error)}`)
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys') return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
  return `${[...issue.path, ...issue.keys.slice(0, 1)].join('.')}: unknown field. docs/site/schema.json lists the fields`
}
