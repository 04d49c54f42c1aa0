import { usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import { formatClockTime } from '#src/ui/formatTime.ts'
import styles from './PlaybackTime.module.css'
import { usePosition } from './usePosition.ts'

export function PlaybackTime({ className, apart }: { className?: string; apart?: boolean }) {
  const { source, nowPlaying } = usePlayer()
  const { elapsed, duration } = usePosition()
  if (source.kind === 'live' && !nowPlaying?.online) return null
  return (
    <span className={cx(styles.times, apart && styles.apart, className)}>
      <span>{formatClockTime(elapsed)}</span>
      {duration > 0 && <span className={styles.duration}>{formatClockTime(duration)}</span>}
    </span>
  )
}
