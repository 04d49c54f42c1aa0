import { isIP } from 'node:net'
import { z } from 'zod'

const blankIsMissing = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsMissing, schema.optional())
const flag = (fallback: boolean) =>
  z.preprocess(
    blankIsMissing,
    z
      .enum(['on', 'off'])
      .default(fallback ? 'on' : 'off')
      .transform((value) => value === 'on'),
  )
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
const origin = z
  .string()
  .refine(isOrigin, 'must be an origin like https://example.org: http or https, without path, query or credentials')
  .transform((value) => new URL(value).origin)
const network = z
  .string()
  .refine(isNetwork, 'must be addresses or networks like 10.0.0.0/8, or loopback, linklocal, uniquelocal')
const listed = (value: unknown) =>
  typeof value === 'string' ? value.split(',').flatMap((part) => part.trim() || []) : undefined

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, origin, href } = new URL(value)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

/** As the reader of forwarded addresses takes them. */
function isNetwork(value: string): boolean {
  if (/^(?:loopback|linklocal|uniquelocal)$/.test(value)) return true
  const [address = '', bits, ...more] = value.split('/')
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return most > 0 && more.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
}

const environment = z.object({
  HOST: z.preprocess(blankIsMissing, z.string().default('127.0.0.1')),
  PORT: z.preprocess(blankIsMissing, z.coerce.number().int().min(0).max(65535).default(3000)),
  SITE_URL: optional(origin),
  SITE_FILE: optional(z.string()),
  DATA_DIR: z.preprocess(blankIsMissing, z.string().default('./data')),
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address that begins with postgres:// or postgresql://' }),
  ),
  SECRET_KEY: optional(z.string().min(32, 'must be at least 32 characters')),
  ADMIN_EMAIL: optional(z.email()),
  ADMIN_PASSWORD: optional(z.string().min(8, 'must be at least 8 characters')),
  RADIO_URL: optional(webAddress),
  RADIO_API_KEY: optional(z.string()),
  RADIO_DIRECT: flag(false),
  RADIO_MAX_LISTENERS: z.preprocess(blankIsMissing, z.coerce.number().int().positive().default(2000)),
  NEWS_FEEDS: z.preprocess(listed, z.array(webAddress).optional()),
  NEWS_REFRESH_MINUTES: z.preprocess(
    blankIsMissing,
    z.coerce
      .number()
      .positive()
      .max(24 * 60)
      .default(30),
  ),
  ALLOW_PRIVATE_NETWORK: flag(false),
  TRUST_PROXY: z.preprocess(listed, z.array(network).default([])),
  RATE_LIMIT: flag(true),
  PAGE_CACHE: flag(true),
  THREAD_POST_LIMIT: z.preprocess(blankIsMissing, z.coerce.number().int().positive().default(1000)),
  METRICS_TOKEN: optional(z.string().regex(/^\S{16,}$/, 'must be at least 16 characters, without spaces')),
  LOG_LEVEL: z.preprocess(
    blankIsMissing,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
})

/** Every setting there is; README and the container's files are tested against it. */
export const settingNames = Object.keys(environment.shape)

/** The settings of one running site; `siteUrl` has no slash at its end. */
export type Config = ReturnType<typeof readConfig>

/**
 * Reads the settings from an environment; nothing else reads `process.env`.
 * @throws Error with one line that names the setting that is wrong
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`Setting ${String(issue?.path[0])} is wrong: ${issue?.message}`)
  }
  const value = parsed.data
  if (value.DATABASE_URL && !value.SECRET_KEY) {
    throw new Error('Setting SECRET_KEY is missing: it is required with DATABASE_URL, the same for every process')
  }
  if (Boolean(value.ADMIN_EMAIL) !== Boolean(value.ADMIN_PASSWORD)) {
    throw new Error('Settings ADMIN_EMAIL and ADMIN_PASSWORD go together: one of them is missing')
  }
  return {
    host: value.HOST,
    port: value.PORT,
    siteUrl: value.SITE_URL ?? `http://localhost:${value.PORT}`,
    siteUrlGiven: value.SITE_URL !== undefined,
    siteFile: value.SITE_FILE,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    secretKey: value.SECRET_KEY,
    admin:
      value.ADMIN_EMAIL && value.ADMIN_PASSWORD ? { email: value.ADMIN_EMAIL, password: value.ADMIN_PASSWORD } : null,
    /** `url` without `/api` and slashes at its end; null: the station built in */
    radio: {
      service: value.RADIO_URL
        ? { url: value.RADIO_URL.replace(/\/+$/, '').replace(/\/api$/, ''), key: value.RADIO_API_KEY ?? null }
        : null,
      direct: value.RADIO_DIRECT,
      maxListeners: value.RADIO_MAX_LISTENERS,
    },
    /** `feeds` null: the curated list; empty: none are read */
    news: { feeds: value.NEWS_FEEDS ?? null, refreshMinutes: value.NEWS_REFRESH_MINUTES },
    /** feeds and their pictures may come from private addresses */
    allowPrivateNetwork: value.ALLOW_PRIVATE_NETWORK,
    trustProxy: value.TRUST_PROXY,
    rateLimit: value.RATE_LIMIT,
    /** off for measuring what a page costs */
    pageCache: value.PAGE_CACHE,
    threadPostLimit: value.THREAD_POST_LIMIT,
    /** null: /metrics answers the machine itself only */
    metricsToken: value.METRICS_TOKEN ?? null,
    logLevel: value.LOG_LEVEL,
  }
}
