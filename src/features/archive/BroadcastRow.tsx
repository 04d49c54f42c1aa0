import { Download, Pause, Play } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { Streamer } from '#src/contract/archive.ts'
import { downloadPath } from '#src/contract/archivePaths.ts'
import { durationSeconds, type EndedBroadcast } from '#src/contract/broadcasts.ts'
import { cx } from '#src/ui/cx.ts'
import { formatClockTime, utcDate } from '#src/ui/formatTime.ts'
import { useHydrated } from '#src/ui/hydration.ts'
import { IconLink } from '#src/ui/IconButton.tsx'
import styles from './BroadcastRow.module.css'
import { formatMegabytes, formatWeekday } from './format.ts'
import type { PlaybackProps } from './playback.ts'
import { toRecording } from './recording.ts'

type BroadcastRowProps = PlaybackProps & {
  stationId: number
  streamer: Streamer
  broadcast: EndedBroadcast
  isCurrent: boolean
  isPlaying: boolean
}

export const BroadcastRow = memo(function BroadcastRow({
  stationId,
  streamer,
  broadcast,
  isCurrent,
  isPlaying,
  onPlay,
  onPause,
  renderProgress,
}: BroadcastRowProps) {
  const { id, title, timestampStart, recording: file } = broadcast
  const isHydrated = useHydrated()
  const recording = useMemo(() => toRecording(stationId, streamer, broadcast), [stationId, streamer, broadcast])
  const date = utcDate(new Date(timestampStart))
  // `formatWeekday` adds the time, because a streamer can broadcast twice on the same day.
  const name = title ? `${title}, ${date}` : `Broadcast of ${date}, ${formatWeekday(broadcast)}`
  const Icon = isPlaying ? Pause : Play

  return (
    <li className={styles.row} data-current={isCurrent || undefined}>
      {recording && (
        <button
          type="button"
          className={styles.play}
          aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`}
          disabled={!isHydrated}
          onClick={() => (isPlaying ? onPause() : onPlay(recording))}
        >
          <Icon className="icon icon-s" />
        </button>
      )}
      <time className={cx('data', styles.date)} dateTime={timestampStart}>
        {date}
      </time>
      <span className={cx(styles.title, !title && styles.untitled)}>{title ?? formatWeekday(broadcast)}</span>
      {recording && <div className={styles.progress}>{renderProgress(recording, isCurrent)}</div>}
      <span className={cx('data', styles.length)}>{formatClockTime(durationSeconds(broadcast))}</span>
      <span className={cx('data', styles.size)}>{file ? formatMegabytes(file.size) : 'not recorded'}</span>
      {recording && (
        <div className={styles.download}>
          <IconLink
            icon={Download}
            label={`Download ${name}`}
            href={downloadPath(stationId, streamer.id, id)}
            rel="nofollow"
            download
          />
        </div>
      )}
    </li>
  )
})
