import { type HeaderKind, wrongHeaders } from '#tests/helpers/securityHeaders.ts'
import { readAnswers, type WireAnswer } from '#tests/helpers/wire.ts'
import type { Stage } from './stage.ts'

/** What a stack, a driver, a parser or a path of ours looks like. */
const INTERNALS = [
  /\bat [\w$.<>[\] ]+ \((?:file:|node:|\/)/,
  /(?:file:\/\/|node:internal|node_modules\b|\/dist\/(?:server|site)\/|\.(?:ts|mjs|cjs):\d+)/,
  /\b(?:TypeError|ReferenceError|RangeError|SyntaxError|ZodError|TRPCError|PostgresError|DrizzleQueryError|AggregateError)\b/,
  /\b(?:ECONNREFUSED|ECONNRESET|ENOENT|EACCES|EISDIR|ENOTDIR|ENAMETOOLONG|EMFILE|FST_ERR_\w+|HPE_\w+)\b/,
  /\b(?:Cannot read propert|is not a function|is not defined|is not iterable|undefined \(reading|Unexpected token|JSON at position)/,
  /\b(?:Failed query|syntax error at or near|violates \w+ constraint|invalid input syntax|out of range for type|relation ")/i,
  /"(?:stack|sql|severity|routine|issues)":/,
]
/** A text of the library that checks forms, where ours was forgotten. */
const NOT_OURS =
  /^(?:Invalid (?:input|option|string|type)|Too (?:big|small)|Unrecognized key|Expected |Required$|Unsupported )/

type Expectations = {
  /** its refusals have the documented shape */
  isCall?: boolean
  /** sent with it, and so may stand in the answer */
  sent?: string
  /** headers it should carry; null where an address decides and any will do */
  kind?: HeaderKind | null
}

/** @throws Error that says what is wrong with an answer, where it is more than a refusal */
export function judge(
  stage: Stage,
  answer: WireAnswer,
  { isCall = false, sent = '', kind = null }: Expectations,
): void {
  const { status, headers } = answer
  const text = answer.body.toString()
  const fail = (what: string): never => {
    throw new Error(`${what}\n${status} ${JSON.stringify(headers)}\n${text.slice(0, 2000)}`)
  }
  if (status >= 500 && !(status === 503 && headers['retry-after'])) fail('A fault of ours')
  const kinds: HeaderKind[] = kind === null ? ['plain', 'files', 'secret', 'secret files'] : [kind]
  const wrong = kinds.map((one) => wrongHeaders(headers, one))
  if (!wrong.some((lines) => lines.length === 0)) fail(`Headers: ${wrong[0]?.join('; ')}`)
  if (/^(https?:)?[/\\]{2}/i.test(headers.location ?? '')) fail('Leads to another site')
  if (text.includes(stage.dataDir)) fail('Tells where its data lies')
  for (const pattern of INTERNALS) {
    const [found] = pattern.exec(text) ?? []
    if (found && !sent.includes(found)) fail(`Tells of its insides: ${found}`)
  }
  for (const [, message = ''] of text.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)) {
    if (status >= 400 && NOT_OURS.test(message)) fail('A refusal in words that are not ours')
  }
  if (isCall && status >= 400 && text !== '') {
    const { success, error, ...more } = parse(text) ?? fail('A refusal that is no JSON')
    if (success !== false || typeof error !== 'string' || Object.keys(more).length > 0)
      fail('A refusal of another shape')
    if (NOT_OURS.test(String(error))) fail('A refusal in words that are not ours')
  }
}

/** Judges all that came over a connection, of which nobody knows how many answers it is; gives their statuses. */
export function judgeBytes(stage: Stage, bytes: Buffer, sent: string): number[] {
  const pieces = bytes.toString('latin1').split(/(?=HTTP\/1\.1 \d{3} [A-Z])/)
  const answers = pieces.filter(Boolean).flatMap((piece) => readAnswers(Buffer.from(piece, 'latin1')).slice(0, 1))
  const final = answers.filter(({ status }) => status >= 200)
  for (const answer of final) judge(stage, answer, { sent })
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
 * @param from how much it had printed before
 * @throws Error when the site does not answer any more, or has noted a fault
 */
export async function judgeSite(stage: Stage, from = 0): Promise<void> {
  const { status } = await fetch(`${stage.origin}/healthz`, { signal: AbortSignal.timeout(10_000) })
  if (status !== 200) throw new Error(`The site is not well: ${status}`)
  const faults = stage
    .output()
    .slice(from)
    .match(/^\{"level":[56]0.*$|^.*(?:Warning|Error):.*$/gm)
  if (faults) throw new Error(`The site has noted ${faults.length} faults: ${faults[0]}`)
}
