import { ChevronDown, Download, Pause, Play } from 'lucide-react'
import { useId, useMemo, useState, useSyncExternalStore } from 'react'
import {
  broadcastAnchor,
  downloadPath,
  durationSeconds,
  type EndedBroadcast,
  type Streamer,
} from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import { formatMegabytes } from '#src/lib/formatBytes.ts'
import { formatClockTime, utcDate } from '#src/lib/formatTime.ts'
import { getPlayer, type Recording, subscribePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { useHydrated } from '#src/ui/hydration.ts'
import { IconLink } from '#src/ui/IconButton.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import styles from './BroadcastRow.module.css'
import { formatWeekday, type PlaybackProps, toRecording } from './recording.ts'

type BroadcastRowProps = PlaybackProps & {
  stationId: number
  streamer: Streamer
  broadcast: EndedBroadcast
  isHidden: boolean | undefined
  /** set for recordings that the visitor may change */
  onEdit: ((broadcastId: number) => void) | undefined
}

export function BroadcastRow({
  stationId,
  streamer,
  broadcast,
  isHidden,
  onEdit,
  onPlay,
  onPause,
  renderProgress,
}: BroadcastRowProps) {
  const { id, title, timestampStart, recording: file, tracks = 0 } = broadcast
  const length = durationSeconds(broadcast)
  const isHydrated = useHydrated()
  const recording = useMemo(() => toRecording(stationId, streamer, broadcast), [stationId, streamer, broadcast])
  // Renders the row when this changes, and not whenever the player does.
  const playback = useSyncExternalStore(
    subscribePlayer,
    () => recording && playbackOf(recording),
    () => null,
  )
  const isPlaying = playback === 'playing'
  const date = utcDate(new Date(timestampStart))
  // `formatWeekday` adds the time, because a streamer can broadcast twice on the same day.
  const name = title ? `${title}, ${date}` : t('archive.broadcastOfTime', { date, time: formatWeekday(broadcast) })
  const Icon = isPlaying ? Pause : Play
  const [isOpen, setOpen] = useState(false)
  const tracksId = useId()
  const Tracks = useLazyComponent(
    () => import('./BroadcastTracks.tsx').then((module) => module.BroadcastTracks),
    isOpen,
    () => setOpen(false),
  )

  return (
    <li className={styles.row} id={broadcastAnchor(id)} data-current={playback !== null || undefined}>
      {recording && !isHidden && (
        <Scripted>
          <button
            type="button"
            className={styles.play}
            aria-label={isPlaying ? t('archive.pause', { name }) : t('archive.play', { name })}
            disabled={!isHydrated}
            onClick={() => (isPlaying ? onPause() : onPlay(recording))}
          >
            <Icon className="icon icon-s" />
          </button>
        </Scripted>
      )}
      <time className={cx('data', styles.date)} dateTime={timestampStart}>
        {date}
      </time>
      <div className={styles.name}>
        <span className={cx(styles.title, !title && styles.untitled)}>{title ?? formatWeekday(broadcast)}</span>
        {(tracks > 0 || onEdit) && (
          <Scripted>
            <span className={styles.actions}>
              {isHidden && <span className="label">{t('archive.hidden')}</span>}
              {tracks > 0 && (
                <button
                  type="button"
                  className={styles.action}
                  aria-expanded={isOpen}
                  aria-controls={isOpen ? tracksId : undefined}
                  aria-label={t('archive.tracksOf', { count: tracks, name })}
                  disabled={!isHydrated}
                  onClick={() => setOpen(!isOpen)}
                >
                  {t('show.tracks', { count: tracks })}
                  <ChevronDown className="icon icon-s chevron" />
                </button>
              )}
              {onEdit && (
                <button
                  type="button"
                  className={styles.action}
                  aria-label={t('archive.edit', { name })}
                  onClick={() => onEdit(id)}
                >
                  {t('ui.edit')}
                </button>
              )}
            </span>
          </Scripted>
        )}
      </div>
      {recording && !isHidden && <div className={styles.progress}>{renderProgress(recording, playback !== null)}</div>}
      <span className={cx('data', styles.length)}>{length > 0 && formatClockTime(length)}</span>{' '}
      <span className={cx('data', styles.size)}>{file ? formatMegabytes(file.size) : t('archive.notRecorded')}</span>
      {recording && !isHidden && (
        <div className={styles.download}>
          <IconLink
            icon={Download}
            label={t('ui.download', { name })}
            href={downloadPath(stationId, streamer.id, id)}
            rel="nofollow"
            download
          />
        </div>
      )}
      {isOpen && recording && Tracks && (
        <div className={styles.tracks} id={tracksId}>
          <Tracks broadcastId={id} onJump={(seconds) => !isHidden && onPlay(recording, seconds)} />
        </div>
      )}
    </li>
  )
}

/** Returns null unless the recording is in the player bar. */
function playbackOf({ stationId, streamerId, broadcastId }: Recording): 'playing' | 'paused' | null {
  const { recording, status } = getPlayer()
  if (recording?.stationId !== stationId || recording.streamerId !== streamerId) return null
  if (recording.broadcastId !== broadcastId) return null
  return status === 'paused' ? 'paused' : 'playing'
}
