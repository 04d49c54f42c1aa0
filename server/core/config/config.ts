import { join, resolve } from 'node:path'
import { z } from 'zod'
import { readIrcConfig } from './ircSettings.ts'
import {
  byteSize,
  contact,
  count,
  createReader,
  flag,
  httpUrl,
  internalOrigin,
  matching,
  network,
  oneOf,
  optional,
  optionalDuration,
  origin,
  parseList,
  type ReadSetting,
  rate,
  wholeNumber,
  withDefault,
} from './settingTypes.ts'
import { readStorageConfig } from './storageSettings.ts'

/** A timer cannot wait longer than 24 days, and each backup reads all data. */
const backupInterval = optionalDuration({
  minSeconds: 10 * 60,
  maxSeconds: 14 * 24 * 3600,
  error: 'must be a time from 10m to 14d, like 12h or 7d, or off',
})

const MINUTES = 'must be a number of minutes, at most 1440'
const newsMinutes = z.coerce
  .number(MINUTES)
  .positive(MINUTES)
  .max(24 * 60, MINUTES)

/** `siteUrl` has no trailing slash. */
export type Config = ReturnType<typeof readConfig>
export type LimitKind = keyof Config['limits']['rates']
export type StorageKind = keyof Config['limits']['storage']

/**
 * Reads all settings. Other code must not read `process.env`.
 * @throws Error with one line that names the wrong setting
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = createReader(env)
  const port = read('PORT', withDefault(wholeNumber(0, 65_535), 3000))
  const givenUrl = read('SITE_URL', optional(origin))
  const siteUrl = givenUrl ?? `http://localhost:${port}`
  const dataDir = read('DATA_DIR', withDefault(z.string(), './data'))
  const databaseUrl = read(
    'DATABASE_URL',
    optional(
      z.url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user:password@host:5432/name' }),
    ),
  )
  const secretKey = read('SECRET_KEY', optional(z.string().min(32, 'must be at least 32 characters')))
  if (databaseUrl && !secretKey) {
    throw new Error('Setting SECRET_KEY is missing: it is required with DATABASE_URL, the same for every process')
  }
  const [email, password] = read.pair(
    ['ADMIN_EMAIL', z.email('must be an email address')],
    ['ADMIN_PASSWORD', z.string().min(8, 'must be at least 8 characters')],
  )
  const radioUrl = read('RADIO_URL', optional(httpUrl))
  const radioKey = read('RADIO_API_KEY', optional(z.string()))
  const takesRequests = read('SONG_REQUESTS', flag(false))
  const perHour = read('SONG_REQUESTS_PER_HOUR', count(3))
  const cooldownMinutes = read('SONG_REQUEST_COOLDOWN_MINUTES', count(120, 0))
  const rateLimit = read('RATE_LIMIT', flag(true))
  const raidPostsPerMinute = read('RAID_POSTS_PER_MINUTE', count(15, 0))
  const { fileStores, backupStore, bucket } = readStorageConfig(read)
  return {
    host: read('HOST', withDefault(z.string(), '127.0.0.1')),
    port,
    siteUrl,
    siteUrlGiven: givenUrl !== undefined,
    /** where other processes reach this one; undefined means that the process finds out */
    internalUrl: read('INTERNAL_URL', optional(internalOrigin)),
    siteFile: read('SITE_FILE', optional(z.string())),
    dataDir,
    databaseUrl,
    secretKey,
    admin: email && password ? { email, password } : null,
    /** admins have the rights of members until they add a second factor */
    requireSecondFactor: read('REQUIRE_SECOND_FACTOR', flag(false)),
    /** URL, `mailto:` for an email address; null if there is none */
    abuseContact: read('ABUSE_CONTACT', optional(contact)) ?? null,
    /** null for a webhook that is not set */
    webhooks: {
      moderation: readWebhook(read, 'MODERATION_WEBHOOK'),
      radio: readWebhook(read, 'RADIO_WEBHOOK'),
    },
    /** the board where broadcasts open a thread; null for none */
    showBoard: read('SHOW_BOARD', matching(/^[a-z0-9-]{1,40}$/, 'must be the id of a board, as in its URL')) ?? null,
    /** null if an AzuraCast may not call this site */
    azuracastToken:
      read('AZURACAST_WEBHOOK_TOKEN', matching(/^\S{16,200}$/, 'must be 16 to 200 characters, without spaces')) ?? null,
    /** `url` ends without `/api` or a slash. `service` is null for the embedded station. */
    radio: {
      service: radioUrl ? { url: radioUrl.replace(/\/+$/, '').replace(/\/api$/, ''), key: radioKey ?? null } : null,
      direct: read('RADIO_DIRECT', flag(false)),
      maxListeners: read('RADIO_MAX_LISTENERS', count(2000)),
      /** null if the station takes no requests. Only the embedded station takes requests. */
      songRequests: takesRequests && !radioUrl ? { perHour, cooldownMs: cooldownMinutes * 60_000 } : null,
      /** live sources connected at the same time */
      maxSources: read('LIVE_SOURCES', count(8)),
    },
    /** public origin to which sources of streamers connect */
    liveUrl: read('LIVE_URL', optional(origin)) ?? siteUrl,
    /** null means that the site has no bot on IRC */
    irc: readIrcConfig(read),
    /** recorded broadcasts: the most bytes in total, and after how many days they are deleted (0: never) */
    recordings: { bytes: read('RECORDINGS', byteSize('20GiB')), days: read('RECORDING_DAYS', count(0, 0)) },
    /** `feeds`: null means the default list, an empty list means that the site has no news */
    news: {
      feeds: read('NEWS_FEEDS', z.preprocess(parseList, z.array(httpUrl).optional())) ?? null,
      refreshMinutes: read('NEWS_REFRESH_MINUTES', withDefault(newsMinutes, 30)),
    },
    /** allows private IP addresses for feeds, their images and radio streams */
    allowPrivateNetwork: read('ALLOW_PRIVATE_NETWORK', flag(false)),
    trustProxy: read('TRUST_PROXY', z.preprocess(parseList, z.array(network).default([]))),
    /** days for which the server can tell posts of the same network; 0 stores nothing about networks */
    originDays: read('ORIGIN_DAYS', withDefault(wholeNumber(0, 365), 14)),
    rateLimit,
    /** disabled in benchmarks that measure rendering */
    pageCache: read('PAGE_CACHE', flag(true)),
    /**
     * seconds for which a CDN may keep a page; 0 makes it ask each time. Takedowns and posts take as long to reach all
     * visitors.
     */
    cdnMaxAge: read('CDN_MAX_AGE', withDefault(wholeNumber(0, 60), 0)),
    /** 0 turns the raid detection off */
    raidPostsPerMinute: rateLimit ? raidPostsPerMinute : 0,
    limits: {
      threadPosts: read('THREAD_POST_LIMIT', count(1000)),
      threadBytes: read('THREAD_BYTE_LIMIT', byteSize('600kB')),
      threadNodes: read('THREAD_NODE_LIMIT', count(6000)),
      listBytes: read('LIST_BYTE_LIMIT', byteSize('300kB')),
      eventConnections: read('EVENT_CONNECTIONS_PER_NETWORK', count(24)),
      eventBytes: read('EVENT_BYTES_PER_CONNECTION', byteSize('256KiB')),
      /** limits per network; the texts of refusals have the names `limit.post` and `limit.postOnSite` */
      rates: {
        post: read('RATE_POST', rate('15/10s')),
        thread: read('RATE_THREAD', rate('5/2m')),
        upload: read('RATE_UPLOAD', rate('20/30s')),
        paste: read('RATE_PASTE', rate('20/10s')),
        captcha: read('RATE_CAPTCHA', rate('60/1s')),
        login: read('RATE_LOGIN', rate('20/1m')),
        report: read('RATE_REPORT', rate('10/1m')),
        watch: read('RATE_WATCH', rate('60/10s')),
      },
      /** limits logins per account, from networks that the account has never logged in from */
      accountLogins: read('RATE_LOGIN_ACCOUNT', rate('100/30s')),
      /** the limits for the whole site are the limits per network times this factor */
      siteFactor: read('RATE_SITE_FACTOR', count(40)),
      /** limits in bytes: stored in total, and stored per network and day */
      storage: {
        image: {
          total: read('STORED_IMAGES', byteSize('20GiB')),
          perNetwork: read('STORED_IMAGES_PER_NETWORK', byteSize('500MiB')),
        },
        paste: {
          total: read('STORED_PASTES', byteSize('2GiB')),
          perNetwork: read('STORED_PASTES_PER_NETWORK', byteSize('100MiB')),
        },
      },
      /** limits CPU use, in units of about one millisecond (requestCost.ts) */
      requestCost: {
        perNetwork: read('REQUEST_COST_PER_NETWORK', rate('3000/0.02s')),
        total: read('REQUEST_COST_TOTAL', rate('20000/0.001s')),
      },
      /** limits concurrent reads of threads, thread lists and pastes */
      largeReads: {
        perNetwork: read('LARGE_READS_PER_NETWORK', count(6)),
        total: read('LARGE_READS_AT_ONCE', count(24)),
      },
      radioListeners: read('RADIO_LISTENERS_PER_NETWORK', count(20)),
      images: {
        processes: read('IMAGE_PROCESSES', count(2)),
        pixelsAtOnce: read('IMAGE_MEGAPIXELS_AT_ONCE', count(100)) * 1_000_000,
        processMs: read('IMAGE_SECONDS', count(15)) * 1000,
        queueMs: read('IMAGE_QUEUE_SECONDS', count(20)) * 1000,
      },
      bodies: {
        total: read('BODY_BYTES_IN_FLIGHT', byteSize('192MiB')),
        perNetwork: read('BODY_BYTES_PER_NETWORK', byteSize('24MiB')),
      },
      unread: {
        total: read('UNREAD_BYTES', byteSize('128MiB')),
        perNetwork: read('UNREAD_BYTES_PER_NETWORK', byteSize('16MiB')),
      },
    },
    /** where new files are stored; the second place has files that are still to be moved to the first */
    fileStores,
    /** null without a bucket */
    bucket,
    /** `everySeconds`: null means that no job makes backups */
    backups: {
      everySeconds: read('BACKUP_EVERY', backupInterval) ?? null,
      keep: read('BACKUP_KEEP', count(7)),
      store: backupStore,
      folder: resolve(read('BACKUP_DIR', optional(z.string())) ?? join(dataDir, 'backups')),
    },
    /** null means that /metrics answers only requests from this machine */
    metricsToken:
      read('METRICS_TOKEN', matching(/^\S{16,}$/, 'must be at least 16 characters, without spaces')) ?? null,
    logLevel: read(
      'LOG_LEVEL',
      withDefault(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
    ),
  }
}

function readWebhook(read: ReadSetting, name: 'MODERATION_WEBHOOK' | 'RADIO_WEBHOOK') {
  const [url, secret] = read.pair(
    [`${name}_URL`, httpUrl],
    [`${name}_SECRET`, z.string().min(16, 'must be at least 16 characters')],
  )
  return url && secret ? { url, secret } : null
}
