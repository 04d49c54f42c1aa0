import type { ReactNode } from 'react'
import { type Broadcast, durationSeconds, type EndedBroadcast, type Streamer } from '#src/contract/archive.ts'
import { formatDate } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { padTwo, utcDate } from '#src/lib/formatTime.ts'
import type { Recording } from '#src/player/store.ts'

const broadcastTitle = ({ title, timestampStart }: Broadcast) =>
  title || t('archive.broadcastOf', { date: utcDate(new Date(timestampStart)) })

export function formatWeekday({ timestampStart }: Broadcast): string {
  const start = new Date(timestampStart)
  return t('archive.weekday', {
    weekday: formatDate(start, { weekday: 'long', timeZone: 'UTC' }),
    time: `${padTwo(start.getUTCHours())}:${padTwo(start.getUTCMinutes())}`,
  })
}

export function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 60
    ? t('archive.durationMinutes', { minutes })
    : t('archive.duration', { hours: Math.floor(minutes / 60), minutes: padTwo(minutes % 60) })
}

export function toRecording(stationId: number, streamer: Streamer, broadcast: EndedBroadcast): Recording | null {
  if (!broadcast.recording) return null
  return {
    stationId,
    streamerId: streamer.id,
    broadcastId: broadcast.id,
    title: broadcastTitle(broadcast),
    streamer: streamer.display_name || streamer.streamer_username,
    startedAt: broadcast.timestampStart,
    duration: durationSeconds(broadcast),
    size: broadcast.recording.size,
  }
}

/** Player functions that the page passes down, because features cannot import its engine. */
export type PlaybackProps = {
  /** @param at where to start in seconds; by default, where the visitor left it */
  onPlay: (recording: Recording, at?: number) => void
  onPause: () => void
  /** shows how much of a recording was played; `isCurrent` is true for the recording in the player bar */
  renderProgress: (recording: Recording, isCurrent: boolean) => ReactNode
}
