import type { SiteSwitch } from './moderation.ts'

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
  /** switches that are on */
  switches: SiteSwitch[]
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
}

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
}
