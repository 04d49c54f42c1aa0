import { streamPath } from '#src/contract/radio.ts'
import { SCHEDULE_PATH } from '#src/contract/show.ts'
import { t } from '#src/i18n/t.ts'

/** Texts of the site's posts in the thread of a broadcast. */

type Broadcast = { stationId: number; streamer: string; title: string | null }
export type ListedTrack = { seconds: number; artist: string; title: string }

/** Limits the tracklist of a comment, so that it fits into a post. */
export const MAX_LISTED_TRACKS = 150
const MAX_TRACK_LENGTH = 90

export const threadTitle = ({ streamer, title }: Omit<Broadcast, 'stationId'>) =>
  title ?? t('feed.liveTitle', { streamer })

export function openingText({ stationId, streamer, title }: Broadcast, description: string, siteUrl: string): string {
  return [
    title === null ? t('feed.live', { streamer }) : t('feed.liveShow', { title, streamer }),
    ...(description === '' ? [] : [description]),
    t('feed.scheduleAndStream', {
      schedule: `${siteUrl}${SCHEDULE_PATH}`,
      stream: `${siteUrl}${streamPath(stationId)}`,
    }),
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
    t('feed.wasLive', { streamer, duration: formatDuration(seconds) }),
    ...(recording === null ? [] : [t('feed.recording', { recording })]),
    ...(tracks.length === 0 ? [] : [`\`\`\`tracklist\n${tracks.map(formatTrack).join('\n')}\n\`\`\``]),
    ...(more > 0 ? [t('feed.moreTracks', { more })] : []),
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
  const rest = t('time.minutes', { count: minutes % 60 })
  if (hours === 0) return rest
  const whole = t('time.hours', { count: hours })
  return minutes % 60 === 0 ? whole : `${whole} ${rest}`
}
