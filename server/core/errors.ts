import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { ZodError, z } from 'zod'
import { errorChain } from '#db/errors.server.ts'
import { withRetryTime } from '#src/contract/limits.ts'

type Code = TRPCError['code']
type Details = {
  /** seconds after which it is worth trying again; sent as Retry-After */
  retryAfter?: number
  /** it was there once and is known to be deleted: pages answer 410 instead of 404 */
  gone?: boolean
}

/** A refusal with a text for the visitor. Anything else that is thrown is a fault of ours and stays inside. */
export class AppError extends TRPCError {
  readonly retryAfter: number | undefined
  readonly gone: boolean

  constructor(code: Code, message: string, details: Details = {}) {
    super({ code, message })
    this.name = 'AppError'
    this.retryAfter = details.retryAfter
    this.gone = details.gone ?? false
  }
}

const factory = (code: Code) => (message: string, details?: Details) => new AppError(code, message, details)

/** The only way to refuse: each makes an error to throw, with the text the visitor reads. */
export const errors = {
  badRequest: factory('BAD_REQUEST'),
  unauthorized: factory('UNAUTHORIZED'),
  forbidden: factory('FORBIDDEN'),
  notFound: factory('NOT_FOUND'),
  conflict: factory('CONFLICT'),
  tooLarge: factory('PAYLOAD_TOO_LARGE'),
  unsupportedType: factory('UNSUPPORTED_MEDIA_TYPE'),
  tooMany: factory('TOO_MANY_REQUESTS'),
  unavailable: (message: string, details: Details = {}) =>
    new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: 5, ...details }),
}

/** Returns a 429 that names the wait in its text and as Retry-After. */
export function tooSoon(text: string, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const retryAfter = seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60
  return errors.tooMany(withRetryTime(text, retryAfter), { retryAfter })
}

export const errorTexts = {
  internal: 'Something went wrong. Please try again.',
  unavailable: 'The service is not available right now. Please try again in a moment.',
  badRequest: 'The request could not be read',
  tooLarge: 'The request is too large',
  oneLargeAnswer: 'A request may ask for one thread, list of threads or paste at a time',
  foreignOrigin: 'Another site may not send this. Please do it on this site itself.',
  notJson: 'The request must be JSON',
  tooSlow: 'The request took too long',
  notFound: 'Not found',
} as const

/** What may leave the server of anything that was thrown. */
export type PublicError = { status: number; message: string; retryAfter?: number; gone: boolean; fault: boolean }

/** Connection lost, refused or shutting down, statements cut short, deadlocks: the database's trouble, not the visitor's. */
const DATABASE_AWAY =
  /^(08...|57P0.|57014|53...|25P03|40001|40P01|ECONN\w+|EPIPE|ENOENT|CONNECT\w*|CONNECTION_\w+|DATABASE_TIMEOUT)$/
/** Nothing can be stored now: the disk or one's share of it is full, read-only, or failing. */
const STORE_AWAY = /^(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|58030)$/

const { localeError } = z.locales.en()

/** Where a contract has no text for what is wrong the library has one, and that talks of types and patterns. */
function textOf({ issues: [issue] }: ZodError): string {
  const [librarys, text] = [issue && localeError(issue as Parameters<typeof localeError>[0]), issue?.message]
  // What was received is known no more by now.
  const begins = (words: unknown) => String(words).split(', received')[0]
  return text === undefined || begins(librarys) === begins(text) ? errorTexts.badRequest : text
}

/** The one formatter: turns whatever was thrown into status and text; `fault` marks what belongs into the log. */
export function publicError(thrown: unknown): PublicError {
  const error = thrown instanceof TRPCError && !(thrown instanceof AppError) ? (thrown.cause ?? thrown) : thrown
  if (error instanceof AppError) {
    const { message, retryAfter, gone } = error
    return { status: getHTTPStatusCodeFromError(error), message, retryAfter, gone, fault: false }
  }
  if (error instanceof ZodError) {
    return { status: 400, message: textOf(error), gone: false, fault: false }
  }
  // First, for a client that breaks off has the code of a lost connection too.
  const status = statusOf(error, thrown)
  if (status >= 400 && status < 500) {
    const message = status === 413 ? errorTexts.tooLarge : status === 404 ? errorTexts.notFound : errorTexts.badRequest
    return { status, message, gone: false, fault: false }
  }
  const codes = errorChain(error).map(({ code }) => String(code))
  if (codes.some((code) => DATABASE_AWAY.test(code) || STORE_AWAY.test(code))) {
    return { status: 503, message: errorTexts.unavailable, retryAfter: 5, gone: false, fault: true }
  }
  return { status: 500, message: errorTexts.internal, gone: false, fault: true }
}

/** The code of an error or of the one it wraps, such as ENOSPC or 57P01; its message where there is none. */
export const errorCode = (error: unknown): string =>
  errorChain(error).flatMap(({ code }) => (code as string | undefined) ?? [])[0] ??
  (error instanceof Error ? error.message : String(error))

/** PostgreSQL quotes the value that it could not use, and functions may raise what they like. */
const QUOTES_VALUES = /^(22|P0)/

/**
 * What the log says of an error: kinds, codes and places. No message of a query, for it ends with its parameters, no
 * detail of PostgreSQL, which quotes what is stored, and no path of a file, whose name can be what opens a shared
 * image: posts, emails, tokens and secret addresses stay out of the log.
 */
export function loggedError(error: unknown) {
  const [outer = describe({}), ...inner] = errorChain(error).map(describe)
  return { ...outer, ...(inner.length > 0 && { causes: inner }) }
}

function describe(error: object) {
  const { name, message, code, stack, cause } = error as Record<string, unknown>
  const written = String(message ?? '')
  const trace = String(stack ?? '')
  // The message stands in it too, and somebody may have written lines that look like places.
  const places = trace
    .slice(trace.indexOf(written) + written.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  // One that only wraps another repeats it.
  const isRepeated = cause instanceof Error && cause.message === written
  const text = isRepeated ? '' : publicMessage(error, written)
  return { type: String(name ?? 'Error'), message: text, code, stack: places.join('\n') }
}

function publicMessage(error: object, message: string): string {
  const { code, syscall, path, severity, routine } = error as Record<string, unknown>
  if (path !== undefined) return `${code}: ${syscall}`
  if (severity !== undefined && QUOTES_VALUES.test(String(code))) return String(routine)
  const [text = ''] = message.split('\nparams: ')
  return text
}

/** Fastify and its plugins put `statusCode` on what they refuse; tRPC has codes of its own. */
function statusOf(error: unknown, thrown: unknown): number {
  const given = (error as { statusCode?: unknown } | null)?.statusCode
  if (typeof given === 'number') return given
  return thrown instanceof TRPCError && thrown.code !== 'INTERNAL_SERVER_ERROR'
    ? getHTTPStatusCodeFromError(thrown)
    : 500
}
