export type { Broadcast, Streamer } from './archiveAnswers.ts'

/** A streamer's completed broadcasts. `latest` is an ISO date and time; `bytes` counts the recordings. */
export type BroadcastSummary = { count: number; latest: string | null; seconds: number; bytes: number }

export const archiveMessages = {
  notFound: 'Broadcast not found',
  outOfReach: 'The requested range is not in the recording',
  busy: 'Too many recordings are being downloaded. Please try again in a moment.',
} as const
