import { z } from 'zod'
import { refusal } from './refusal.ts'

export type DatabaseKind = 'embedded' | 'postgres'

export type Overview = {
  /** posts per hour of the last 24 hours, oldest first; the last hour is not over */
  posts: { hour: Date; count: number }[]
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

export type JobView = {
  name: string
  /** describes the job in the language of the caller */
  text: string
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

export const jobRef = z.object({
  name: z.string(refusal('admin.jobNotFound')).max(100, refusal('admin.jobNotFound')),
})
