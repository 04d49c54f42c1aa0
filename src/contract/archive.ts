export type { Broadcast, Streamer } from './archiveAnswers.ts'

/** A streamer's completed broadcasts. `latest` is an ISO date and time; `bytes` counts the recordings. */
export type BroadcastSummary = { count: number; latest: string | null; seconds: number; bytes: number }
