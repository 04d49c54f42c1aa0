import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { ZodError } from 'zod'
import { errorChain } from '#db/errors.server.ts'
import type { BanNotice } from '#src/contract/bans.ts'
import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'
import { parseRefusal, type Refusal, refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'
import type { TextKey } from '#src/i18n/types.ts'

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

/** An error whose refusal visitors may read. Details of other errors only go to the log. `message` is in English. */
export class AppError extends TRPCError {
  readonly refusal: Refusal
  readonly retryAfter: number | undefined
  readonly gone: boolean
  readonly ban: BanNotice | undefined
  readonly takenDown: boolean

  constructor(code: Code, refusal: Refusal, details: Details = {}) {
    super({ code, message: refusalText(refusal) })
    this.name = 'AppError'
    this.refusal = refusal
    this.retryAfter = details.retryAfter
    this.ban = details.ban
    this.takenDown = details.takenDown ?? false
    this.gone = details.gone ?? this.takenDown
  }
}

const createFactory = (code: Code) => (refusal: Refusal, details?: Details) => new AppError(code, refusal, details)

export const errors = {
  badRequest: createFactory('BAD_REQUEST'),
  unauthorized: createFactory('UNAUTHORIZED'),
  forbidden: createFactory('FORBIDDEN'),
  notFound: createFactory('NOT_FOUND'),
  conflict: createFactory('CONFLICT'),
  tooLarge: createFactory('PAYLOAD_TOO_LARGE'),
  unsupportedType: createFactory('UNSUPPORTED_MEDIA_TYPE'),
  tooMany: createFactory('TOO_MANY_REQUESTS'),
  unavailable: (refusal: Refusal, details: Details = {}) =>
    new AppError('SERVICE_UNAVAILABLE', refusal, { retryAfter: 5, ...details }),
}

/** The refusal with the time after which the same may be tried again. */
export const withRetryTime = (text: Refusal, seconds: number): Refusal =>
  seconds < 60
    ? refusal('failure.tryAgainInSeconds', { text, seconds })
    : refusal('failure.tryAgainInMinutes', { text, minutes: Math.ceil(seconds / 60) })

export function tooSoon(text: Refusal, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const retryAfter = seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60
  return errors.tooMany(withRetryTime(text, retryAfter), { retryAfter })
}

/** The part of an error that clients may see. `isServerFault` errors are logged. */
type PublicError = {
  status: number
  /** in the language of the client */
  message: string
  /** the key of the text, such as 'board.threadNotFound'; null for a moderator's own text */
  code: TextKey | null
  /** the name of the invalid field; null if the fields are valid */
  field: string | null
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

/** Order matters: first our own errors, then errors with a status, then database errors. */
export function publicError(thrown: unknown, language: Language = DEFAULT_LANGUAGE): PublicError {
  const error = thrown instanceof TRPCError && !(thrown instanceof AppError) ? (thrown.cause ?? thrown) : thrown
  const answer = (status: number, refusal: string, field: string | null = null) => ({
    status,
    message: refusalText(refusal, language),
    code: parseRefusal(refusal)?.key ?? null,
    field,
  })
  if (error instanceof AppError) {
    const { refusal, retryAfter, gone, takenDown, ban } = error
    return { ...answer(takenDown ? 410 : getHTTPStatusCodeFromError(error), refusal), retryAfter, gone, ban }
  }
  if (error instanceof ZodError) {
    const { message = '', path: [field] = [] } = error.issues[0] ?? {}
    // Texts of zod itself name types and patterns, which visitors do not know.
    const known = parseRefusal(message) ? message : refusal('failure.badRequest')
    return answer(400, known, field === undefined ? null : String(field))
  }
  // Check the status before the codes: a disconnected client and a lost database cause the same error codes.
  const status = statusOf(error, thrown)
  if (status === 404) return answer(404, refusal('failure.notFound'))
  if (status === 413) return answer(413, refusal('failure.tooLarge'))
  if (status === 415) return answer(415, refusal('failure.bodyType'))
  if (status >= 400 && status < 500) return answer(status, refusal('failure.badRequest'))
  const codes = errorChain(error).map(({ code }) => String(code))
  if (codes.some((code) => DATABASE_UNAVAILABLE.test(code) || STORAGE_UNAVAILABLE.test(code)))
    return { ...answer(503, refusal('failure.unavailable')), retryAfter: 5, isServerFault: true }
  return { ...answer(500, refusal('failure.internal')), isServerFault: true }
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

/** Returns a time as refusals give it: DD/MM/YYYY HH:MM in UTC. */
export function formatUtc(at: Date): string {
  const [year, month, day, time] = at.toISOString().slice(0, 16).split(/[-T]/)
  return `${day}/${month}/${year} ${time}`
}
