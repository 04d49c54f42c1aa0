/** Limits of a recording's fields and lists. */
export const recordingLimits = {
  title: 100,
  /** characters of an artist or title */
  text: 200,
  tracks: 1000,
  /** posts of the thread that the seek bar marks */
  posts: 500,
  /** the longest position of a track, in seconds */
  seconds: 7 * 24 * 3600,
} as const

/** Recordings of the site have smaller ids than files, whose ids are hashes. */
export const MIN_HASHED_ID = 2 ** 32

/** Whether the site made the recording, so that it can have a tracklist. */
export const isOwnRecording = (broadcastId: number): boolean => broadcastId > 0 && broadcastId < MIN_HASHED_ID

/** File in the root of the site. */
export const PODCAST_IMAGE = 'podcast.jpg'
export const PODCAST_TYPE = 'application/rss+xml'
export const PODCAST_PATH = '/archive/podcast.xml'
export const streamerPodcastPath = (streamerId: number) => `/archive/streamer/${streamerId}/podcast.xml`
export const chaptersPath = (broadcastId: number) => `/archive/broadcast/${broadcastId}/chapters.json`
