export type { Broadcast, Streamer } from './archiveAnswers.ts'

/** A streamer's completed broadcasts. `latest` is an ISO date and time; `bytes` counts the recordings. */
export type BroadcastSummary = { count: number; latest: string | null; seconds: number; bytes: number }

export const archiveMessages = {
  loadStreamers: 'Failed to load streamers. Please try again later.',
  loadBroadcasts: 'Failed to load broadcasts for this streamer.',
  noStreamers: 'No streamers found',
  noBroadcasts: 'No completed broadcasts available for this streamer.',
  notFound: 'Broadcast not found',
  outOfReach: 'The requested range is not in the recording',
  busy: 'Too many recordings are being downloaded. Please try again in a moment.',
} as const
