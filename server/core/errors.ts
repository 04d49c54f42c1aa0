import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { ZodError, z } from 'zod'
import { errorChain } from '#db/errors.server.ts'
import { withRetryTime } from '#src/contract/limits.ts'
import type { BanNotice } from '#src/contract/moderation.ts'

type Code = TRPCError['code']
type Details = {
  /** in seconds, sent as the Retry-After header */
  retryAfter?: number
  /** set for deleted content: its page answers 410 instead of 404 */
  gone?: boolean
  /** set if the visitor is banned */
  ban?: BanNotice
  /** set for content that was taken down: all its URLs answer 410 */
  takenDown?: boolean
}

/** An error whose message visitors may see. Details of other errors only go to the log. */
export class AppError extends TRPCError {
  readonly retryAfter: number | undefined
  readonly gone: boolean
  readonly ban: BanNotice | undefined
  readonly takenDown: boolean

  constructor(code: Code, message: string, details: Details = {}) {
    super({ code, message })
    this.name = 'AppError'
    this.retryAfter = details.retryAfter
    this.ban = details.ban
    this.takenDown = details.takenDown ?? false
    this.gone = details.gone ?? this.takenDown
  }
}

const createFactory = (code: Code) => (message: string, details?: Details) => new AppError(code, message, details)

export const errors = {
  badRequest: createFactory('BAD_REQUEST'),
  unauthorized: createFactory('UNAUTHORIZED'),
  forbidden: createFactory('FORBIDDEN'),
  notFound: createFactory('NOT_FOUND'),
  conflict: createFactory('CONFLICT'),
  tooLarge: createFactory('PAYLOAD_TOO_LARGE'),
  unsupportedType: createFactory('UNSUPPORTED_MEDIA_TYPE'),
  tooMany: createFactory('TOO_MANY_REQUESTS'),
  unavailable: (message: string, details: Details = {}) =>
    new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: 5, ...details }),
}

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
  compressed: 'The request must not be compressed',
  tooSlow: 'The request took too long',
  notFound: 'Not found',
} as const

/** The part of an error that clients may see. `isServerFault` errors are logged. */
export type PublicError = {
  status: number
  message: string
  retryAfter?: number
  gone?: boolean
  ban?: BanNotice
  isServerFault?: boolean
}

/** Matches lost or refused connections, shutdowns, cancelled statements and deadlocks. */
const DATABASE_UNAVAILABLE =
  /^(08...|57P0.|57014|53...|25P03|40001|40P01|ECONN\w+|EPIPE|ENOENT|CONNECT\w*|CONNECTION_\w+|DATABASE_TIMEOUT)$/
/** Matches errors of a full, read-only or failing disk, of an exceeded quota, and of a bucket. */
const STORAGE_UNAVAILABLE = /^(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|58030|BUCKET_FAILED)$/

const { localeError } = z.locales.en()

/** Returns our text from the contract. Replaces zod's texts, because visitors do not know types and patterns. */
function validationText({ issues: [issue] }: ZodError): string {
  const [defaultText, text] = [issue && localeError(issue as Parameters<typeof localeError>[0]), issue?.message]
  // Ignore the received value: the issue no longer contains it, so `defaultText` names a wrong value.
  const withoutValue = (words: unknown) => String(words).split(', received')[0]
  return text === undefined || withoutValue(defaultText) === withoutValue(text) ? errorTexts.badRequest : text
}

/** Order matters: first our own errors, then errors with a status, then database errors. */
export function publicError(thrown: unknown): PublicError {
  const error = thrown instanceof TRPCError && !(thrown instanceof AppError) ? (thrown.cause ?? thrown) : thrown
  if (error instanceof AppError) {
    const { message, retryAfter, gone, takenDown, ban } = error
    return { status: takenDown ? 410 : getHTTPStatusCodeFromError(error), message, retryAfter, gone, ban }
  }
  if (error instanceof ZodError) return { status: 400, message: validationText(error) }
  // Check the status before the codes: a disconnected client and a lost database cause the same error codes.
  const status = statusOf(error, thrown)
  if (status >= 400 && status < 500) {
    const message = status === 413 ? errorTexts.tooLarge : status === 404 ? errorTexts.notFound : errorTexts.badRequest
    return { status, message }
  }
  const codes = errorChain(error).map(({ code }) => String(code))
  if (codes.some((code) => DATABASE_UNAVAILABLE.test(code) || STORAGE_UNAVAILABLE.test(code))) {
    return { status: 503, message: errorTexts.unavailable, retryAfter: 5, isServerFault: true }
  }
  return { status: 500, message: errorTexts.internal, isServerFault: true }
}

export const errorCode = (error: unknown): string =>
  errorChain(error).flatMap(({ code }) => (code as string | undefined) ?? [])[0] ??
  (error instanceof Error ? error.message : String(error))

/** Matches PostgreSQL errors whose messages quote stored values. */
const QUOTES_VALUES = /^(22|P0)/

/** Omits parameters, PostgreSQL's details and paths, to keep posts, emails and tokens out of the log. */
export function loggedError(error: unknown) {
  const [outer = describe({}), ...inner] = errorChain(error).map(describe)
  return { ...outer, ...(inner.length > 0 && { causes: inner }) }
}

function describe(error: object) {
  const { name, message, code, stack, cause } = error as Record<string, unknown>
  const written = String(message ?? '')
  const trace = String(stack ?? '')
  // Skip the message at the start of the stack, because lines of a message can look like stack frames.
  const frames = trace
    .slice(trace.indexOf(written) + written.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  const repeatsCause = cause instanceof Error && cause.message === written
  const text = repeatsCause ? '' : loggableMessage(error, written)
  return { type: String(name ?? 'Error'), message: text, code, stack: frames.join('\n') }
}

function loggableMessage(error: object, message: string): string {
  const { code, syscall, path, severity, routine } = error as Record<string, unknown>
  if (path !== undefined) return `${code}: ${syscall}`
  if (severity !== undefined && QUOTES_VALUES.test(String(code))) return String(routine)
  const [text = ''] = message.split('\nparams: ')
  return text
}

/** Returns the HTTP status. Fastify and its plugins set `statusCode`; tRPC has its own codes. */
function statusOf(error: unknown, thrown: unknown): number {
  const given = (error as { statusCode?: unknown } | null)?.statusCode
  if (typeof given === 'number') return given
  return thrown instanceof TRPCError && thrown.code !== 'INTERNAL_SERVER_ERROR'
    ? getHTTPStatusCodeFromError(thrown)
    : 500
}
