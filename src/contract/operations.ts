export const operationMessages = {
  overview: 'Failed to load the overview',
  storage: 'Failed to load the storage',
  jobs: 'Failed to load the jobs',
  run: 'Failed to start the job',
  jobNotFound: 'Job not found',
  jobRunning: 'The job is running already',
} as const

export type DatabaseKind = 'embedded' | 'postgres'

export type Overview = {
  /** posts per hour of the last 24 hours, oldest first; the last hour is not over */
  posts: { hour: Date; count: number }[]
  openReports: number
  heldPosts: number
  stored: StoredKind[]
  freeDiskBytes: number | null
  version: string
  database: DatabaseKind
  startedAt: Date
}

/** Bytes that are stored now, and the most that may be stored. */
export type StoredKind = { kind: 'image' | 'paste'; bytes: number; quota: number }

export type Storage = {
  stored: StoredKind[]
  files: { count: number; bytes: number }
  /** null if the system does not report it */
  freeDiskBytes: number | null
  databaseBytes: number
  backups: Backups
}

export type Backups = {
  /** null if scheduled backups are off */
  everySeconds: number | null
  keep: number
  /** number of stored backups, and their bytes */
  count: number
  bytes: number
  /** the newest stored backup; it was verified when it was written */
  last: { at: Date; bytes: number } | null
  /** the reason if the last run failed, or if the stored backups cannot be listed */
  error: string | null
}

/** Descriptions of the jobs for admins. */
export const jobTexts = {
  events: 'Deletes old change events that open pages no longer need.',
  captchas: 'Deletes captchas that have expired.',
  allowances: 'Deletes counters of the rate limits that are full again.',
  origins: 'Forgets which networks old posts came from.',
  sessions: 'Deletes logins that have expired.',
  files: 'Deletes files that nothing refers to.',
  'thread-archive': 'Archives threads beyond the limits of their boards.',
  'held-posts': 'Publishes posts that were held for a minute.',
  withheld: 'Erases removed posts that can no longer be restored.',
  alerts: 'Sends alerts to moderators.',
  'watch-alerts': 'Sends alerts about watched threads and replies to visitors.',
  'image-shares': 'Deletes shared images that have expired.',
  pastes: 'Deletes pastes that have expired.',
  news: 'Fetches the news feeds that are due.',
  'news-images': 'Fetches images of new articles.',
  'news-sweep': 'Deletes old articles.',
  'song-requests': 'Plans when the station plays requested songs.',
  'old-requests': 'Deletes old song requests.',
  recordings: 'Deletes recordings that have expired, or the oldest ones beyond the quota.',
  switches: 'Turns off switches whose time is over.',
  'radio-webhooks': 'Calls the webhook of the radio.',
  'show-announcements': 'Announces broadcasts that were not announced at once.',
  'service-broadcasts': 'Watches an AzuraCast for live streamers.',
  'listener-counts': 'Deletes old counts of listeners.',
  backup: 'Backs up the site, and deletes the oldest backups beyond BACKUP_KEEP.',
  tidy: 'Cleans up the database after deletions (VACUUM).',
} as const
export type JobName = keyof typeof jobTexts

export type JobView = {
  name: string
  intervalSeconds: number
  isRunning: boolean
  /** start of the last run; null before the first run */
  startedAt: Date | null
  /** duration of the last completed run */
  seconds: number | null
  /** failures in a row */
  failures: number
  /** the last completed runs, newest first; `error` is null if the run succeeded */
  runs: { startedAt: Date; seconds: number; error: string | null }[]
}
