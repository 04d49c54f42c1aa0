import { isIP } from 'node:net'
import { z } from 'zod'

const emptyAsMissing = (value: unknown) => (value === '' ? undefined : value)
const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads one setting. @throws Error with one line that names the setting */
type Read = <T extends z.ZodType>(name: string, type: T) => z.output<T>
type Named<T extends z.ZodType> = [name: string, type: T]
export type ReadSetting = Read & {
  /** Reads two settings that are both given, or neither. */
  pair<A extends z.ZodType, B extends z.ZodType>(
    one: Named<A>,
    other: Named<B>,
  ): [z.output<A> | undefined, z.output<B> | undefined]
}

export function createReader(env: NodeJS.ProcessEnv): ReadSetting {
  const read: Read = (name, type) => {
    const parsed = type.safeParse(env[name])
    if (parsed.success) return parsed.data
    throw new Error(`Setting ${name} is wrong: ${parsed.error.issues[0]?.message}`)
  }
  const pair: ReadSetting['pair'] = ([name, type], [otherName, otherType]) => {
    const [value, other] = [read(name, optional(type)), read(otherName, optional(otherType))]
    if (Boolean(value) === Boolean(other)) return [value, other]
    throw new Error(`Settings ${name} and ${otherName} go together: one of them is missing`)
  }
  return Object.assign(read, { pair })
}

/** Makes a setting optional. An empty value counts as missing. */
export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(emptyAsMissing, schema.optional())

/** Makes a setting optional whose whole text has a form. */
export const matching = (pattern: RegExp, error: string) => optional(z.string().regex(pattern, error))

export const withDefault = <T extends z.ZodType>(schema: T, fallback: NonNullable<z.output<T>>) =>
  z.preprocess((value) => emptyAsMissing(value) ?? fallback, schema)

/** @param parse returns undefined for an invalid value */
export const parsed = <T>(parse: (value: string) => T | undefined, message: string) =>
  z.string().transform((value, ctx) => {
    const result = parse(value)
    if (result !== undefined) return result
    ctx.addIssue({ code: 'custom', message })
    return z.NEVER
  })

const ALTERNATIVES = new Intl.ListFormat('en', { type: 'disjunction' })

/** Parses one of several words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be ${ALTERNATIVES.format(words)}`)

export const flag = (fallback: boolean) =>
  withDefault(oneOf(['on', 'off']), fallback ? 'on' : 'off').transform((value) => value === 'on')

/** Parses a whole number. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  const error = `must be a whole number ${range}`
  return z.coerce.number(error).int(error).min(min, error).max(max, error)
}

export const count = (fallback: number, min = 1) => withDefault(wholeNumber(min), fallback)

const UNITS: Record<string, number> = { '': 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 }

/** Parses a number of bytes, such as `500kB`, `64MiB` or `2GB`. */
export const byteSize = (fallback: string) =>
  withDefault(parsed(parseByteSize, 'must be a number of bytes like 500kB, 64MiB or 2GB'), fallback as never)

function parseByteSize(value: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([kmg]i?b)?$/i.exec(value.trim()) ?? []
  const bytes = Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? 1))
  return bytes > 0 ? bytes : undefined
}

const DURATION_SECONDS: Record<string, number> = { m: 60, h: 3600, d: 24 * 3600 }

type DurationLimits = { minSeconds: number; maxSeconds: number; error: string }

/** Parses a duration such as `30m`, `24h` or `7d` to seconds. Missing, empty or `off` is undefined. */
export const optionalDuration = ({ minSeconds, maxSeconds, error }: DurationLimits) =>
  z.preprocess(
    (value) => (value === 'off' ? undefined : emptyAsMissing(value)),
    parsed((value) => {
      const [, amount, unit = ''] = /^(\d+)([mhd])$/.exec(value.trim()) ?? []
      const seconds = Number(amount) * (DURATION_SECONDS[unit] ?? Number.NaN)
      return seconds >= minSeconds && seconds <= maxSeconds ? seconds : undefined
    }, error).optional(),
  )

export type Rate = { burst: number; everySeconds: number }

/** Parses a rate such as `15/10s`: a burst of 15, then one more every 10 seconds. */
export const rate = (fallback: string) =>
  withDefault(parsed(parseRate, 'must be a rate like 15/10s or 5/2m'), fallback as never)

function parseRate(value: string): Rate | undefined {
  const [, burst, amount, unit = ''] = /^(\d+)\/(\d+(?:\.\d+)?)([smh])$/.exec(value.trim()) ?? []
  const everySeconds = Number(amount) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1)
  return Number(burst) > 0 && everySeconds > 0 ? { burst: Number(burst), everySeconds } : undefined
}

/** Splits a comma-separated list. Returns undefined if the setting is missing. */
export const parseList = (value: unknown) =>
  isText(value) ? value.split(',').flatMap((part) => part.trim() || []) : undefined

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL that begins with http:// or https://',
})

/** Returns an email address as a `mailto:` URL. */
export const contact = parsed((value) => {
  if (z.email().safeParse(value).success) return `mailto:${value}`
  return z.url({ protocol: /^https$/ }).safeParse(value).success ? new URL(value).href : undefined
}, 'must be an email address or a URL that begins with https://')

export const origin = z
  .string()
  .refine(isOrigin, 'must be an origin like https://example.org: http or https, without path, query or credentials')
  .transform((value) => new URL(value).origin)

/** Between processes, connections of live sources are passed on as they are, without TLS. */
export const internalOrigin = origin.refine(
  (value) => value.startsWith('http://'),
  'must be an origin like http://10.0.0.2:3000: http, without path, query or credentials',
)

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, origin, href } = new URL(value)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

/** An IP address, a network or a network name, in the format of `proxy-addr`. */
export const network = z
  .string()
  .refine(isNetwork, 'must be addresses or networks like 10.0.0.0/8, or loopback, linklocal, uniquelocal')

function isNetwork(value: string): boolean {
  if (/^(?:loopback|linklocal|uniquelocal)$/.test(value)) return true
  const [address = '', bits, ...more] = value.split('/')
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return (
    maxBits > 0 && more.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits))
  )
}
