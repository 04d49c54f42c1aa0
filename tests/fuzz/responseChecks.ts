import { parseResponses, type RawResponse } from '#tests/helpers/rawHttp.ts'
import { findHeaderErrors, type HeaderKind } from '#tests/helpers/securityHeaders.ts'
import type { FuzzContext } from './fuzzContext.ts'

/** Matches text that reveals stack traces, drivers, parsers or server paths. */
const INTERNALS = [
  /\bat [\w$.<>[\] ]+ \((?:file:|node:|\/)/,
  /(?:file:\/\/|node:internal|node_modules\b|\/dist\/(?:server|site)\/|\.(?:ts|mjs|cjs):\d+)/,
  /\b(?:TypeError|ReferenceError|RangeError|SyntaxError|ZodError|TRPCError|PostgresError|DrizzleQueryError|AggregateError)\b/,
  /\b(?:ECONNREFUSED|ECONNRESET|ENOENT|EACCES|EISDIR|ENOTDIR|ENAMETOOLONG|EMFILE|FST_ERR_\w+|HPE_\w+)\b/,
  /\b(?:Cannot read propert|is not a function|is not defined|is not iterable|undefined \(reading|Unexpected token|JSON at position)/,
  /\b(?:Failed query|syntax error at or near|violates \w+ constraint|invalid input syntax|out of range for type|relation ")/i,
  /"(?:stack|sql|severity|routine|issues)":/,
]
/** Matches default messages of the validation library. */
const VALIDATOR_TEXT =
  /^(?:Invalid (?:input|option|string|type)|Too (?:big|small)|Unrecognized key|Expected |Required$|Unsupported )/

const ANY_KIND: HeaderKind[] = [
  'plain',
  'files',
  'embeddable files',
  'secret',
  'secret files',
  'open',
  'open files',
  'open secret',
]

type Expectations = {
  /** whether this is an API call, whose errors have the documented shape */
  isCall?: boolean
  /** text of the request, which the response may repeat */
  sent?: string
  /** expected security headers; null if any kind is valid */
  kind?: HeaderKind | null
}

/** @throws Error if a response is a server error or reveals internals */
export function checkResponse(
  context: FuzzContext,
  answer: RawResponse,
  { isCall = false, sent = '', kind = null }: Expectations,
): void {
  const { status, headers } = answer
  const text = answer.body.toString()
  const fail = (reason: string): never => {
    throw new Error(`${reason}\n${status} ${JSON.stringify(headers)}\n${text.slice(0, 2000)}`)
  }
  if (status >= 500 && !(status === 503 && headers['retry-after'])) fail('Server error')
  const kinds: HeaderKind[] = kind === null ? ANY_KIND : [kind]
  const wrong = kinds.map((name) => findHeaderErrors(headers, name))
  if (!wrong.some((lines) => lines.length === 0)) fail(`Wrong headers: ${wrong[0]?.join('; ')}`)
  if (/^(https?:)?[/\\]{2}/i.test(headers.location ?? '')) fail('Redirects to another site')
  // Admins see where the operator's folder is.
  const withoutFolder = text.replace(`"folder":"${context.dataDir}/site"`, '')
  if (withoutFolder.includes(context.dataDir)) fail('Reveals the data folder')
  for (const pattern of INTERNALS) {
    const [match] = pattern.exec(text) ?? []
    if (match && !sent.includes(match)) fail(`Reveals internals: ${match}`)
  }
  for (const [, message = ''] of text.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)) {
    if (status >= 400 && VALIDATOR_TEXT.test(message)) fail('Error text of the validation library')
  }
  if (isCall && status >= 400 && text !== '') {
    const { success, error, ...more } = parse(text) ?? fail('Error response is not JSON')
    if (success !== false || typeof error !== 'string' || Object.keys(more).length > 0)
      fail('Error response has another shape')
    if (VALIDATOR_TEXT.test(String(error))) fail('Error text of the validation library')
  }
}

/** Checks all responses of a connection and returns their statuses. */
export function checkRawResponses(context: FuzzContext, bytes: Buffer, sent: string): number[] {
  const parts = bytes.toString('latin1').split(/(?=HTTP\/1\.1 \d{3} [A-Z])/)
  const answers = parts.filter(Boolean).flatMap((part) => parseResponses(Buffer.from(part, 'latin1')).slice(0, 1))
  const final = answers.filter(({ status }) => status >= 200)
  for (const answer of final) checkResponse(context, answer, { sent })
  return final.map(({ status }) => status)
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * @param from length of the output before the run; only later output is checked
 * @throws Error if the site does not respond or has logged an error
 */
export async function checkSite(context: FuzzContext, from = 0): Promise<void> {
  const { status } = await fetch(`${context.origin}/healthz`, { signal: AbortSignal.timeout(10_000) })
  if (status !== 200) throw new Error(`/healthz answers ${status}`)
  const errors = context
    .output()
    .slice(from)
    .match(/^\{"level":[56]0.*$|^.*(?:Warning|Error):.*$/gm)
  if (errors) throw new Error(`The site has logged ${errors.length} errors: ${errors[0]}`)
}
