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
const list = optional(z.string()).transform((value) => value?.split(',').flatMap((part) => part.trim() || []) ?? [])

const environment = z.object({
  HOST: z.preprocess(blankIsMissing, z.string().default('127.0.0.1')),
  PORT: z.preprocess(blankIsMissing, z.coerce.number().int().min(0).max(65535).default(3000)),
  SITE_URL: optional(z.url({ protocol: /^https?$/ })),
  SITE_FILE: optional(z.string()),
  DATA_DIR: z.preprocess(blankIsMissing, z.string().default('./data')),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  SECRET_KEY: optional(z.string().min(32, 'must be at least 32 characters')),
  ADMIN_EMAIL: optional(z.email()),
  ADMIN_PASSWORD: optional(z.string().min(8, 'must be at least 8 characters')),
  RADIO_URL: optional(z.url({ protocol: /^https?$/ })),
  RADIO_API_KEY: optional(z.string()),
  RADIO_DIRECT: flag(false),
  RADIO_MAX_LISTENERS: z.preprocess(blankIsMissing, z.coerce.number().int().positive().default(2000)),
  NEWS_FEEDS: z
    .string()
    .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .optional(),
  NEWS_REFRESH_MINUTES: z.preprocess(
    blankIsMissing,
    z.coerce
      .number()
      .positive()
      .max(24 * 60)
      .default(30),
  ),
  ALLOW_PRIVATE_NETWORK: flag(false),
  TRUST_PROXY: list,
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
    throw new Error(`Setting ${issue?.path.join('.')} is wrong: ${issue?.message}`)
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
    siteUrl: (value.SITE_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ''),
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
