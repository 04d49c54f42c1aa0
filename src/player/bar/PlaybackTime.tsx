import { formatClockTime } from '#src/lib/formatTime.ts'
import { usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './PlaybackTime.module.css'
import { usePosition } from './usePosition.ts'

export function PlaybackTime({ className, apart }: { className?: string; apart?: boolean }) {
  const { source, nowPlaying, nowPlayingAt } = usePlayer()
  const { elapsed, duration } = usePosition()
  const isLive = source.kind === 'live'
  // Keeps its place free, so that nothing moves when the track is known.
  const isLoading = isLive && nowPlayingAt === 0
  if (isLive && !nowPlaying?.online && !isLoading) return null
  return (
    <span className={cx(styles.times, apart && styles.apart, isLoading && styles.loading, className)}>
      <span>{formatClockTime(elapsed)}</span>
      {(duration > 0 || isLoading) && <span className={styles.duration}>{formatClockTime(duration)}</span>}
    </span>
  )
}
