/** Names with an underscore are part of the documented API. */
export type Streamer = {
  id: number
  streamer_username: string
  display_name: string
  comments: string | null
}

export type Broadcast = {
  id: number
  title: string | null
  /** ISO date and time */
  timestampStart: string
  /** ISO date and time; null while the broadcast is running */
  timestampEnd: string | null
  /** null if there is no recording; `size` is in bytes */
  recording: { size: number } | null
}

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

export const downloadPath = (stationId: number, streamerId: number, broadcastId: number) =>
  `/api/radio/station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`
