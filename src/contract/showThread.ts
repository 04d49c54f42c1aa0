import { streamPath } from './radio.ts'
import { SCHEDULE_PATH } from './show.ts'

/** Texts of the site's posts in the thread of a broadcast. */

type Broadcast = { stationId: number; streamer: string; title: string | null }
export type ListedTrack = { seconds: number; artist: string; title: string }

/** Limits the tracklist of a comment, so that it fits into a post. */
export const MAX_LISTED_TRACKS = 150
const MAX_TRACK_LENGTH = 90

export const threadTitle = ({ streamer, title }: Omit<Broadcast, 'stationId'>) => title ?? `${streamer} live`

export function openingText({ stationId, streamer, title }: Broadcast, description: string, siteUrl: string): string {
  return [
    title === null ? `${streamer} is live.` : `${title}, with ${streamer}, is live.`,
    ...(description === '' ? [] : [description]),
    `Schedule: ${siteUrl}${SCHEDULE_PATH}\nStream: ${siteUrl}${streamPath(stationId)}`,
  ].join('\n\n')
}

/**
 * @param recording URL of the archive's page; null if there is no recording
 * @param tracks the first tracks
 */
export function closingText(
  { streamer, seconds, recording }: { streamer: string; seconds: number; recording: string | null },
  tracks: ListedTrack[],
  trackCount: number,
): string {
  const more = trackCount - tracks.length
  return [
    `${streamer} was live for ${formatDuration(seconds)}.`,
    ...(recording === null ? [] : [`Recording: ${recording}`]),
    ...(tracks.length === 0 ? [] : [`\`\`\`tracklist\n${tracks.map(formatTrack).join('\n')}\n\`\`\``]),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join('\n\n')
}

/** A block of code shows the text as it is, and `tracklist` as its name. A line cannot end the block, because it begins with the time. */
const formatTrack = ({ seconds, artist, title }: ListedTrack) =>
  `${formatPosition(seconds)}  ${shorten(artist === '' ? title : `${artist} – ${title}`)}`

const shorten = (text: string) => {
  const line = text.replace(/\s+/gu, ' ').trim()
  return line.length > MAX_TRACK_LENGTH ? `${line.slice(0, MAX_TRACK_LENGTH - 1).toWellFormed()}…` : line
}

/** Returns hours, minutes and seconds, such as `1:02:03`. */
function formatPosition(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'))
  return [Math.floor(whole / 3600), ...parts].join(':')
}

function formatDuration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
