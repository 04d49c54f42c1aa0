import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ircEnvironment, readIrcConfig } from './ircSettings.ts'
import {
  byteSize,
  contact,
  count,
  flag,
  httpUrl,
  internalOrigin,
  network,
  oneOf,
  optional,
  optionalDuration,
  origin,
  parseList,
  rate,
  wholeNumber,
  withDefault,
} from './settingTypes.ts'
import { readBucketConfig, storageEnvironment } from './storageSettings.ts'

/** A timer cannot wait longer than 24 days, and each backup reads all data. */
const backupInterval = optionalDuration({
  minSeconds: 10 * 60,
  maxSeconds: 14 * 24 * 3600,
  error: 'must be a time from 10m to 14d, like 12h or 7d, or off',
})

/** Takedowns and posts take as long to reach all visitors. */
const cdnSeconds = withDefault(wholeNumber(0, 60), 0)

const MINUTES = 'must be a number of minutes, at most 1440'
const newsMinutes = z.coerce
  .number(MINUTES)
  .positive(MINUTES)
  .max(24 * 60, MINUTES)

const environment = z.object({
  HOST: withDefault(z.string(), '127.0.0.1'),
  PORT: withDefault(wholeNumber(0, 65_535), 3000),
  SITE_URL: optional(origin),
  INTERNAL_URL: optional(internalOrigin),
  SITE_FILE: optional(z.string()),
  DATA_DIR: withDefault(z.string(), './data'),
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user:password@host:5432/name' }),
  ),
  SECRET_KEY: optional(z.string().min(32, 'must be at least 32 characters')),
  ADMIN_EMAIL: optional(z.email('must be an email address')),
  ADMIN_PASSWORD: optional(z.string().min(8, 'must be at least 8 characters')),
  REQUIRE_SECOND_FACTOR: flag(false),
  ABUSE_CONTACT: optional(contact),
  MODERATION_WEBHOOK_URL: optional(httpUrl),
  MODERATION_WEBHOOK_SECRET: optional(z.string().min(16, 'must be at least 16 characters')),
  RADIO_URL: optional(httpUrl),
  RADIO_API_KEY: optional(z.string()),
  RADIO_DIRECT: flag(false),
  LIVE_URL: optional(origin),
  SHOW_BOARD: optional(z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be the id of a board, as in its URL')),
  RADIO_WEBHOOK_URL: optional(httpUrl),
  RADIO_WEBHOOK_SECRET: optional(z.string().min(16, 'must be at least 16 characters')),
  AZURACAST_WEBHOOK_TOKEN: optional(z.string().regex(/^\S{16,200}$/, 'must be 16 to 200 characters, without spaces')),
  RADIO_MAX_LISTENERS: count(2000),
  RADIO_LISTENERS_PER_NETWORK: count(20),
  ...ircEnvironment,
  SONG_REQUESTS: flag(false),
  SONG_REQUESTS_PER_HOUR: count(3),
  SONG_REQUEST_COOLDOWN_MINUTES: count(120, 0),
  RECORDINGS: byteSize('20GiB'),
  RECORDING_DAYS: count(0, 0),
  LIVE_SOURCES: count(8),
  NEWS_FEEDS: z.preprocess(parseList, z.array(httpUrl).optional()),
  NEWS_REFRESH_MINUTES: withDefault(newsMinutes, 30),
  ALLOW_PRIVATE_NETWORK: flag(false),
  TRUST_PROXY: z.preprocess(parseList, z.array(network).default([])),
  RATE_LIMIT: flag(true),
  PAGE_CACHE: flag(true),
  CDN_MAX_AGE: cdnSeconds,
  THREAD_POST_LIMIT: count(1000),
  THREAD_BYTE_LIMIT: byteSize('600kB'),
  THREAD_NODE_LIMIT: count(6000),
  LIST_BYTE_LIMIT: byteSize('300kB'),
  EVENT_CONNECTIONS_PER_NETWORK: count(24),
  EVENT_BYTES_PER_CONNECTION: byteSize('256KiB'),
  RATE_POST: rate('15/10s'),
  RATE_THREAD: rate('5/2m'),
  RATE_UPLOAD: rate('20/30s'),
  RATE_PASTE: rate('20/10s'),
  RATE_CAPTCHA: rate('60/1s'),
  RATE_LOGIN: rate('20/1m'),
  RATE_LOGIN_ACCOUNT: rate('100/30s'),
  RATE_REPORT: rate('10/1m'),
  RATE_WATCH: rate('60/10s'),
  RATE_SITE_FACTOR: count(40),
  RAID_POSTS_PER_MINUTE: count(15, 0),
  STORED_IMAGES: byteSize('20GiB'),
  STORED_IMAGES_PER_NETWORK: byteSize('500MiB'),
  STORED_PASTES: byteSize('2GiB'),
  STORED_PASTES_PER_NETWORK: byteSize('100MiB'),
  IMAGE_PROCESSES: count(2),
  IMAGE_MEGAPIXELS_AT_ONCE: count(100),
  IMAGE_SECONDS: count(15),
  IMAGE_QUEUE_SECONDS: count(20),
  BODY_BYTES_IN_FLIGHT: byteSize('192MiB'),
  BODY_BYTES_PER_NETWORK: byteSize('24MiB'),
  UNREAD_BYTES: byteSize('128MiB'),
  UNREAD_BYTES_PER_NETWORK: byteSize('16MiB'),
  LARGE_READS_AT_ONCE: count(24),
  LARGE_READS_PER_NETWORK: count(6),
  REQUEST_COST_PER_NETWORK: rate('3000/0.02s'),
  REQUEST_COST_TOTAL: rate('20000/0.001s'),
  ORIGIN_DAYS: withDefault(wholeNumber(0, 365), 14),
  BACKUP_EVERY: backupInterval,
  BACKUP_KEEP: count(7),
  BACKUP_DIR: optional(z.string()),
  ...storageEnvironment,
  METRICS_TOKEN: optional(z.string().regex(/^\S{16,}$/, 'must be at least 16 characters, without spaces')),
  LOG_LEVEL: withDefault(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
})

/** Tests compare these names with docs/settings.md and the container's files. */
export const settingNames = Object.keys(environment.shape)

/** `siteUrl` has no trailing slash. */
export type Config = ReturnType<typeof readConfig>
export type LimitKind = keyof Config['limits']['rates']
export type StorageKind = keyof Config['limits']['storage']

/**
 * Reads all settings. Other code must not read `process.env`.
 * @throws Error with one line that names the wrong setting
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
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
  for (const name of ['MODERATION_WEBHOOK', 'RADIO_WEBHOOK'] as const) {
    if (Boolean(value[`${name}_URL`]) !== Boolean(value[`${name}_SECRET`])) {
      throw new Error(`Settings ${name}_URL and ${name}_SECRET go together: one of them is missing`)
    }
  }
  const siteUrl = value.SITE_URL ?? `http://localhost:${value.PORT}`
  return {
    host: value.HOST,
    port: value.PORT,
    siteUrl,
    siteUrlGiven: value.SITE_URL !== undefined,
    /** where other processes reach this one; undefined means that the process finds out */
    internalUrl: value.INTERNAL_URL,
    siteFile: value.SITE_FILE,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    secretKey: value.SECRET_KEY,
    admin:
      value.ADMIN_EMAIL && value.ADMIN_PASSWORD ? { email: value.ADMIN_EMAIL, password: value.ADMIN_PASSWORD } : null,
    /** admins have the rights of members until they add a second factor */
    requireSecondFactor: value.REQUIRE_SECOND_FACTOR,
    /** URL, `mailto:` for an email address; null if there is none */
    abuseContact: value.ABUSE_CONTACT ?? null,
    /** null for a webhook that is not set */
    webhooks: {
      moderation: toWebhook(value.MODERATION_WEBHOOK_URL, value.MODERATION_WEBHOOK_SECRET),
      radio: toWebhook(value.RADIO_WEBHOOK_URL, value.RADIO_WEBHOOK_SECRET),
    },
    /** the board where broadcasts open a thread; null for none */
    showBoard: value.SHOW_BOARD ?? null,
    /** null if an AzuraCast may not call this site */
    azuracastToken: value.AZURACAST_WEBHOOK_TOKEN ?? null,
    /** `url` ends without `/api` or a slash. `service` is null for the embedded station. */
    radio: {
      service: value.RADIO_URL
        ? { url: value.RADIO_URL.replace(/\/+$/, '').replace(/\/api$/, ''), key: value.RADIO_API_KEY ?? null }
        : null,
      direct: value.RADIO_DIRECT,
      maxListeners: value.RADIO_MAX_LISTENERS,
      /** null if the station takes no requests. Only the embedded station takes requests. */
      songRequests:
        value.SONG_REQUESTS && !value.RADIO_URL
          ? { perHour: value.SONG_REQUESTS_PER_HOUR, cooldownMs: value.SONG_REQUEST_COOLDOWN_MINUTES * 60_000 }
          : null,
      /** live sources connected at the same time */
      maxSources: value.LIVE_SOURCES,
    },
    /** public origin to which sources of streamers connect */
    liveUrl: value.LIVE_URL ?? siteUrl,
    /** null means that the site has no bot on IRC */
    irc: readIrcConfig(value),
    /** recorded broadcasts: the most bytes in total, and after how many days they are deleted (0: never) */
    recordings: { bytes: value.RECORDINGS, days: value.RECORDING_DAYS },
    /** `feeds`: null means the default list, an empty list means that the site has no news */
    news: { feeds: value.NEWS_FEEDS ?? null, refreshMinutes: value.NEWS_REFRESH_MINUTES },
    /** allows private IP addresses for feeds, their images and radio streams */
    allowPrivateNetwork: value.ALLOW_PRIVATE_NETWORK,
    trustProxy: value.TRUST_PROXY,
    /** days for which the server can tell posts of the same network; 0 stores nothing about networks */
    originDays: value.ORIGIN_DAYS,
    rateLimit: value.RATE_LIMIT,
    /** disabled in benchmarks that measure rendering */
    pageCache: value.PAGE_CACHE,
    /** seconds for which a CDN may keep a page; 0 makes it ask each time */
    cdnMaxAge: value.CDN_MAX_AGE,
    /** 0 turns the raid detection off */
    raidPostsPerMinute: value.RATE_LIMIT ? value.RAID_POSTS_PER_MINUTE : 0,
    limits: {
      threadPosts: value.THREAD_POST_LIMIT,
      threadBytes: value.THREAD_BYTE_LIMIT,
      threadNodes: value.THREAD_NODE_LIMIT,
      listBytes: value.LIST_BYTE_LIMIT,
      eventConnections: value.EVENT_CONNECTIONS_PER_NETWORK,
      eventBytes: value.EVENT_BYTES_PER_CONNECTION,
      /** limits per network; the texts of refusals have the names `limit.post` and `limit.postOnSite` */
      rates: {
        post: value.RATE_POST,
        thread: value.RATE_THREAD,
        upload: value.RATE_UPLOAD,
        paste: value.RATE_PASTE,
        captcha: value.RATE_CAPTCHA,
        login: value.RATE_LOGIN,
        report: value.RATE_REPORT,
        watch: value.RATE_WATCH,
      },
      /** limits logins per account, from networks that the account has never logged in from */
      accountLogins: value.RATE_LOGIN_ACCOUNT,
      /** the limits for the whole site are the limits per network times this factor */
      siteFactor: value.RATE_SITE_FACTOR,
      /** limits in bytes: stored in total, and stored per network and day */
      storage: {
        image: { total: value.STORED_IMAGES, perNetwork: value.STORED_IMAGES_PER_NETWORK },
        paste: { total: value.STORED_PASTES, perNetwork: value.STORED_PASTES_PER_NETWORK },
      },
      /** limits CPU use, in units of about one millisecond (requestCost.ts) */
      requestCost: { perNetwork: value.REQUEST_COST_PER_NETWORK, total: value.REQUEST_COST_TOTAL },
      /** limits concurrent reads of threads, thread lists and pastes */
      largeReads: { perNetwork: value.LARGE_READS_PER_NETWORK, total: value.LARGE_READS_AT_ONCE },
      radioListeners: value.RADIO_LISTENERS_PER_NETWORK,
      images: {
        processes: value.IMAGE_PROCESSES,
        pixelsAtOnce: value.IMAGE_MEGAPIXELS_AT_ONCE * 1_000_000,
        processMs: value.IMAGE_SECONDS * 1000,
        queueMs: value.IMAGE_QUEUE_SECONDS * 1000,
      },
      bodies: { total: value.BODY_BYTES_IN_FLIGHT, perNetwork: value.BODY_BYTES_PER_NETWORK },
      unread: { total: value.UNREAD_BYTES, perNetwork: value.UNREAD_BYTES_PER_NETWORK },
    },
    /** where new files are stored; the second place has files that are still to be moved to the first */
    fileStores: value.FILE_STORE,
    /** null without a bucket */
    bucket: readBucketConfig(value),
    /** `everySeconds`: null means that no job makes backups */
    backups: {
      everySeconds: value.BACKUP_EVERY ?? null,
      keep: value.BACKUP_KEEP,
      store: value.BACKUP_STORE,
      folder: resolve(value.BACKUP_DIR ?? join(value.DATA_DIR, 'backups')),
    },
    /** null means that /metrics answers only requests from this machine */
    metricsToken: value.METRICS_TOKEN ?? null,
    logLevel: value.LOG_LEVEL,
  }
}

const toWebhook = (url: string | undefined, secret: string | undefined) => (url && secret ? { url, secret } : null)
